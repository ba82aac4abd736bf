import encryption from '@adonisjs/core/services/encryption'
import { errors } from 'oidc-provider'
import { findActiveSession } from '#auth/sessions/active_session'
import { findClient } from '#oidc/clients/client_rows'
import { toMetadata } from '#oidc/clients/metadata'
import { isDocumentUrl } from '#oidc/documents/document_url'
import { findDocumentClient } from '#oidc/documents/find_document_client'
import { endGrant } from './grants.ts'
import * as records from './record_rows.ts'

/*
 | Where the library keeps its records. It reads a code, sees that nobody has consumed it and
 | then consumes it: two requests at once would both pass. So `consume` is one statement, and
 | fails for the second.
 */

type Payload = Record<string, any>

/**
 | Payloads that hold a token of their own, encrypted: the device code, which a user code finds,
 | and the interaction that goes on with it. Of all others the id is left out, and put back when
 | the caller brings it.
 */
const ENCRYPTED = new Set(['DeviceCode', 'Interaction'])

/** The session of the browser is the web session (`app/oidc/web_session.ts`): nothing is stored. */
const NEVER_STORED = new Set(['Session'])

/** What anybody can have stored, who knows the id of a public client. */
const FROM_STRANGERS = new Set(['PushedAuthorizationRequest', 'DeviceCode'])

/** As much as fits into an address, of which node reads 16 KB: the library would read 56 KB of a form. */
const MOST_CHARACTERS = 16_384

const ALREADY_USED: Record<string, new (message: string) => Error> = {
  PushedAuthorizationRequest: errors.InvalidRequestUri,
}

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
    if (FROM_STRANGERS.has(this.#kind)) assertShort(payload)
    const content = { payload: this.#seal(payload), expiresAt: Date.now() + ttlSeconds * 1_000 }
    if (this.#kind === 'ReplayDetection') return this.#insertOnce(id, content)
    await records.upsertRecord(this.#key(id), { ...content, ...columnsOf(payload, this.#kind) })
  }

  async #insertOnce(id: string, content: { payload: string; expiresAt: number }) {
    if (await records.insertOnce(this.#key(id), content)) return
    throw new errors.InvalidRequest('the proof or assertion was used before')
  }

  async find(id: string): Promise<Payload | undefined> {
    if (this.#kind === 'Client') return findMetadata(id)
    const payload = await this.#read(id)
    return this.#kind === 'Grant' ? activeGrant(payload) : payload
  }

  async #read(id: string) {
    return this.#open(await records.findRecord(this.#key(id)), id)
  }

  /** Never asked for: the session of the browser is that of the web pages. */
  async findByUid() {
    return undefined
  }

  async findByUserCode(userCode: string) {
    return this.#open(await records.findByUserCode(this.#kind, userCode))
  }

  /** @throws invalid_grant for the second caller, whose use ends the grant (RFC 6749, section 4.1.2) */
  async consume(id: string) {
    if (await records.consumeRecord(this.#key(id))) return
    const { accountId, grantId } = (await this.#read(id)) ?? {}
    if (grantId) await endGrant(accountId, grantId)
    const AlreadyUsed = ALREADY_USED[this.#kind] ?? errors.InvalidGrant
    throw new AlreadyUsed('already used')
  }

  async destroy(id: string) {
    if (NEVER_STORED.has(this.#kind)) return
    if (this.#kind === 'Grant') await this.#endSession(id)
    await records.deleteRecord(this.#key(id))
  }

  async #endSession(grantId: string) {
    const payload = await this.#read(grantId)
    if (payload) await endGrant(payload.accountId, grantId)
  }

  async revokeByGrantId(grantId: string) {
    await records.deleteOfGrant(this.#kind, grantId)
  }

  #seal(payload: Payload) {
    if (ENCRYPTED.has(this.#kind)) return encryption.encrypt(payload, { purpose: this.#kind })
    const { jti, ...stored } = payload
    return JSON.stringify(stored)
  }

  #open(stored: records.StoredRecord | null, id?: string): Payload | undefined {
    if (!stored) return undefined
    const { payload, consumedAt } = stored
    const read: Payload | null = ENCRYPTED.has(this.#kind)
      ? encryption.decrypt<Payload>(payload, this.#kind)
      : { ...JSON.parse(payload), jti: id }
    if (!read) return undefined
    return consumedAt ? { ...read, consumed: Math.floor(consumedAt / 1_000) } : read
  }
}

/** @throws invalid_request */
function assertShort(payload: Payload) {
  const { length } = JSON.stringify(payload)
  if (length > MOST_CHARACTERS) throw new errors.InvalidRequest('the request is too large')
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

/** Ids are ASCII; of others Postgres refuses the characters that it cannot store. */
async function findMetadata(clientId: string) {
  if (!/^[\x21-\x7e]{1,255}$/.test(clientId)) return undefined
  const client = isDocumentUrl(clientId)
    ? await findDocumentClient(clientId)
    : await findClient(clientId)
  return client ? toMetadata(client) : undefined
}

/** A grant whose session has ended is none, and neither is one of a disabled user. */
async function activeGrant(grant: Payload | undefined) {
  return grant && (await findActiveSession(grant.accountId, grant.jti)) ? grant : undefined
}
