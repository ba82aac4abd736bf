import encryption from '@adonisjs/core/services/encryption'
import { errors } from 'oidc-provider'
import settings from '#config/oidc'
import limits from '#config/limits'
import { findActiveSession } from '#auth/sessions/active_session'
import { isDeletedClient } from '#auth/tokens/deleted_clients'
import { findClient } from '#oidc/clients/client_rows'
import { toMetadata } from '#oidc/clients/metadata'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { findMetadataClient } from '#oidc/client_id_metadata/find_metadata_client'
import { endGrant } from '#oidc/grants/end_grants'
import { isShownAsUsed, useAgain } from '#oidc/grants/reuse'
import * as records from '#oidc/records/record_rows'
import type { DeviceCode, Grant } from 'oidc-provider'
import type { Transaction } from '#database/transaction'

/*
 | Where the library keeps its records. It reads a code or an interaction, sees that it was not
 | used and then uses it: two requests at once would both pass. So `consume`, and `destroy` of an
 | interaction, are one statement, and fail for the second.
 */

type Payload = Record<string, any>

/**
 | Payloads that hold a token of their own, encrypted: the device code, which a user code finds,
 | and the interaction that goes on with it. Of all others the id is left out, and put back when
 | the caller brings it.
 */
export const ENCRYPTED_RECORDS = new Set(['DeviceCode', 'Interaction'])

/** The session of the browser is the web session (`app/oidc/provider/patches/web_session.ts`): nothing is stored. */
const NEVER_STORED = new Set(['Session'])

/** Requests that are stored before anybody has signed in. */
const UNAUTHENTICATED = new Set(['Interaction', 'PushedAuthorizationRequest', 'DeviceCode'])

export class DatabaseAdapter {
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  #key(id: string) {
    return { kind: this.#kind, id }
  }

  async upsert(id: string, payload: Payload, ttlSeconds: number) {
    if (NEVER_STORED.has(this.#kind)) return
    await records.upsertRecord(this.#key(id), this.#content(payload, this.#expiresAt(ttlSeconds)))
    const isBounded = UNAUTHENTICATED.has(this.#kind)
    if (isBounded) await records.removeOldest(this.#kind, limits.openAuthorizations)
  }

  /** Writes a record that has its id and end already, in a transaction. */
  async insert(payload: Payload, trx: Transaction) {
    const content = this.#content(payload, payload.exp * 1_000)
    await records.upsertRecord(this.#key(payload.jti), content, trx)
  }

  #content(payload: Payload, expiresAt: number) {
    return { payload: this.#seal(payload), expiresAt, ...columnsOf(payload, this.#kind) }
  }

  /** A pushed request outlives its 60 seconds, so that its use is known after a long interaction. */
  #expiresAt(ttlSeconds: number) {
    const isPushed = this.#kind === 'PushedAuthorizationRequest'
    const more = isPushed ? settings.interactionSeconds : 0
    return Date.now() + (ttlSeconds + more) * 1_000
  }

  /**
   * Writes the answer to an interaction.
   *
   * @returns false if it was answered before, or its authorization has gone on
   */
  answer(id: string, payload: Payload, trx: Transaction) {
    return records.answerRecord(this.#key(id), this.#seal(payload), trx)
  }

  async find(id: string): Promise<Payload | undefined> {
    if (this.#kind === 'Client') return findMetadata(id)
    const payload = await this.#read(id)
    if (this.#kind === 'PushedAuthorizationRequest') return payload ?? usedRequest(id)
    return this.#kind === 'Grant' ? activeGrant(payload) : payload
  }

  async #read(id: string) {
    return this.#open(await records.findRecord(this.#key(id)), id)
  }

  /** The record as a transaction sees it. */
  async readIn(trx: Transaction, id: string) {
    return this.#open(await records.findRecord(this.#key(id), trx), id)
  }

  /** Never asked for: the session of the browser is that of the web pages. */
  async findByUid() {
    return undefined
  }

  async findByUserCode(userCode: string) {
    return this.#open(await records.findByUserCode(this.#kind, userCode))
  }

  /** @throws invalid_grant or invalid_request_uri for the second caller, unless `useAgain` lets it pass */
  async consume(id: string) {
    if (await records.consumeRecord(this.#key(id))) return
    const used = await records.findRecord(this.#key(id))
    const source = this.#open(used, id)
    if (this.#kind === 'PushedAuthorizationRequest')
      throw new errors.InvalidRequestUri('already used')
    if (!used?.consumedAt || !source?.grantId) throw new errors.InvalidGrant('already used')
    const { accountId, grantId } = source
    const { consumedAt } = used
    await useAgain({ kind: this.#kind, id, consumedAt, source: { accountId, grantId } })
  }

  async destroy(id: string) {
    if (NEVER_STORED.has(this.#kind)) return
    if (this.#kind === 'Grant') await this.#endSession(id)
    const isDeleted = await records.deleteRecord(this.#key(id))
    if (this.#kind === 'Interaction' && !isDeleted) throw new errors.SessionNotFound('already used')
  }

  async #endSession(grantId: string) {
    const payload = await this.#read(grantId)
    if (payload) await endGrant(payload.accountId, grantId)
  }

  async revokeByGrantId(grantId: string) {
    await records.deleteOfGrant(this.#kind, grantId)
  }

  /** @throws invalid_request if it is too large */
  #seal(payload: Payload) {
    const sealed = this.#encode(payload)
    if (Buffer.byteLength(sealed) <= limits.authorizationBytes) return sealed
    throw new errors.InvalidRequest('the request is too large')
  }

  #encode(payload: Payload) {
    if (ENCRYPTED_RECORDS.has(this.#kind))
      return encryption.encrypt(payload, { purpose: this.#kind })
    const { jti, ...stored } = payload
    return JSON.stringify(stored)
  }

  #open(stored: records.StoredRecord | null, id?: string): Payload | undefined {
    if (!stored) return undefined
    const { payload, consumedAt } = stored
    const read: Payload | null = ENCRYPTED_RECORDS.has(this.#kind)
      ? encryption.decrypt<Payload>(payload, this.#kind)
      : { ...JSON.parse(payload), jti: id }
    if (!read) return undefined
    const isUsed = consumedAt !== null && isShownAsUsed(this.#kind, consumedAt)
    return isUsed ? { ...read, consumed: Math.floor(consumedAt / 1_000) } : read
  }
}

/** A pushed request that is not stored (any more) counts as used: its code must not be issued twice. */
function usedRequest(jti: string): Payload {
  const now = Math.floor(Date.now() / 1_000)
  return { jti, kind: 'PushedAuthorizationRequest', iat: now, exp: now, consumed: now }
}

/** As its model would, in a transaction. */
export async function saveGrant(grant: Grant, trx: Transaction) {
  const { payload } = await grant.getValueAndPayload()
  await new DatabaseAdapter('Grant').insert(payload, trx)
}

export function readGrant(grantId: string, trx: Transaction) {
  return new DatabaseAdapter('Grant').readIn(trx, grantId)
}

/** The answer to a device, in the transaction of what it gives. */
export async function saveDeviceCode(code: DeviceCode, trx: Transaction) {
  const { payload } = await code.getValueAndPayload()
  await new DatabaseAdapter('DeviceCode').insert(payload, trx)
}

function columnsOf(payload: Payload, kind: string): records.RecordColumns {
  const { accountId, clientId, params, userCode, jti } = payload
  return {
    grantId: kind === 'Grant' ? jti : payload.grantId,
    clientId: clientId ?? params?.client_id,
    userId: accountId,
    webSessionId: payload.webSessionId,
    userCode,
  }
}

async function findMetadata(clientId: string) {
  const client = isMetadataUrl(clientId)
    ? await findMetadataClient(clientId)
    : await findClient(clientId)
  return client ? toMetadata(client) : undefined
}

/** A grant whose session has ended is none, and neither is one of a disabled user or deleted client. */
async function activeGrant(grant: Payload | undefined) {
  if (await isDeletedClient(grant?.clientId)) return undefined
  return grant && (await findActiveSession(grant.accountId, grant.jti)) ? grant : undefined
}
