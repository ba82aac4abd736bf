import Provider, { errors } from 'oidc-provider'
import settings from '#config/oidc'
import limits from '#config/limits'
import store from '#auth/store/service'
import { isSessionActive } from '#auth/sessions/active_session'
import { ensureConfiguration } from '#database/configuration_version'
import { isRememberedAsDeleted } from '#auth/tokens/deleted_clients'
import { findMetadataClient } from '#oidc/client_id_metadata/find_metadata_client'
import { findCurrentClient, findRememberedClient } from '#oidc/clients/remembered_clients'
import { hasOnlyDigest } from '#oidc/clients/secret_digests'
import { findSecretEvidence, type SecretEvidence } from '#oidc/clients/secret_evidence'
import { hasSecret, type OAuthClient } from '#oidc/clients/client'
import { isTrustedAddress } from '#oidc/clients/verify_secret'
import { sourceOfRequest } from '#oidc/request_source'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { toMetadata } from '#oidc/clients/metadata'
import { endGrant } from '#oidc/grants/end_grants'
import { openGrantWithCode } from '#oidc/grants/new_grant'
import { isShownAsUsed, handleReuse } from '#oidc/grants/reuse'
import { deleteOfGrant } from '#oidc/records/delete_grant_rows'
import { CODE, consumeCode, insertCode, isOfEarlierRun, withRun } from '#oidc/records/code_rows'
import { columnsOf, openPayload, sealPayload, type Payload } from '#oidc/records/payloads'
import { currentReads } from '#oidc/request_reads'
import { findCurrentUser } from '#oidc/tokens/current_user'
import { findSealedToken } from '#oidc/tokens/find_access_token'
import { isSealed } from '#oidc/tokens/sealed_tokens'
import * as records from '#oidc/records/record_rows'
import { codeOf } from './redeemed_code.ts'

/* `consume` and `destroy` use one statement: two concurrent requests cannot both use a code. */

/** The session of the browser is the web session (`patches/web_session.ts`). */
const NEVER_STORED = new Set(['Session'])

const UNAUTHENTICATED = new Set(['Interaction', 'PushedAuthorizationRequest', 'DeviceCode'])

/** Kinds that are read together with their grant and user. */
const WITH_GRANT = new Set(['AuthorizationCode', 'RefreshToken'])

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
    const sealed = sealPayload(this.#kind, this.#kind === CODE ? withRun(payload) : payload)
    const stored = { payload: sealed, expiresAt: this.#expiresAt(ttlSeconds) }
    const content = { ...stored, ...columnsOf(this.#kind, payload) }
    if (await this.#isStoredOtherwise({ key: this.#key(id), content })) return
    await records.upsertRecord(this.#key(id), content)
    const isBounded = UNAUTHENTICATED.has(this.#kind)
    if (isBounded) await records.removeOldest(this.#kind, limits.openAuthorizations)
  }

  async #isStoredOtherwise(record: records.NewRecord) {
    if (this.#kind !== CODE) return false
    const { opening, preparing } = currentReads()
    if (preparing) preparing.code = record
    else if (opening) await openGrantWithCode(opening, record)
    else await insertCode(record)
    return true
  }

  /** Keeps a pushed request beyond its 60 seconds: its use is known after a long interaction. */
  #expiresAt(ttlSeconds: number) {
    const isPushed = this.#kind === 'PushedAuthorizationRequest'
    const more = isPushed ? settings.interactionSeconds : 0
    return Date.now() + (ttlSeconds + more) * 1_000
  }

  async find(id: string): Promise<Payload | undefined> {
    if (this.#kind === 'Client') return findMetadata(id)
    if (WITH_GRANT.has(this.#kind)) return this.#findCode(id)
    if (this.#kind === 'Grant') return activeGrant(await this.#findGrant(id))
    if (this.#kind === 'AccessToken' && isSealed(id)) return findSealedToken(id)
    const payload = this.#open(await records.findRecord(this.#key(id)), id)
    if (this.#kind === 'PushedAuthorizationRequest') return payload ?? usedRequest(id)
    return payload
  }

  /** Also remembers the user, the grant and the session, which the library asks for next. */
  async #findCode(id: string) {
    const found = takeRead(id) ?? (await records.findCode(this.#key(id)))
    const payload = this.#open(found.code, id)
    if (!payload || isOfEarlierRun(payload)) return undefined
    const { grant, owner, session } = found
    const opened = grant && openPayload('Grant', grant.payload, payload.grantId)
    const user = owner && (await findCurrentUser(owner.id, owner.version, owner.read))
    const ofGrant = session && { ...session, grantId: payload.grantId }
    Object.assign(currentReads(), { user, grant: opened ?? undefined, session: ofGrant })
    return payload
  }

  async #findGrant(id: string) {
    const { grant } = currentReads()
    return grant?.jti === id ? grant : this.#open(await records.findRecord(this.#key(id)), id)
  }

  async findByUid() {
    return undefined
  }

  async findByUserCode(userCode: string) {
    return this.#open(await records.findByUserCode(this.#kind, userCode))
  }

  /** @throws invalid_grant or invalid_request_uri for a second use, unless `handleReuse` allows it */
  async consume(id: string) {
    const consume = this.#kind === CODE ? consumeCode : records.consumeRecord
    if (await consume(this.#key(id))) return
    const used = await records.findRecord(this.#key(id))
    const source = this.#open(used, id)
    if (this.#kind === 'PushedAuthorizationRequest')
      throw new errors.InvalidRequestUri('already used')
    if (!used?.consumedAt || !source?.grantId) throw new errors.InvalidGrant('already used')
    const { accountId, grantId } = source
    const { consumedAt } = used
    await handleReuse({ kind: this.#kind, id, consumedAt, source: { accountId, grantId } })
  }

  async destroy(id: string) {
    if (NEVER_STORED.has(this.#kind)) return
    if (this.#kind === 'Grant') await this.#endSession(id)
    const isDeleted = await records.deleteRecord(this.#key(id))
    if (this.#kind === 'Interaction' && !isDeleted) throw new errors.SessionNotFound('already used')
  }

  async #endSession(grantId: string) {
    const payload = this.#open(await records.findRecord(this.#key(grantId)), grantId)
    if (payload) await endGrant(payload.accountId, grantId)
  }

  async revokeByGrantId(grantId: string) {
    await deleteOfGrant(this.#kind, grantId)
  }

  #open(stored: records.StoredRecord | null, id?: string): Payload | undefined {
    const payload = stored && openPayload(this.#kind, stored.payload, id)
    if (!payload) return undefined
    const { consumedAt } = stored
    const isUsed = consumedAt !== null && isShownAsUsed(this.#kind, consumedAt)
    return isUsed ? { ...payload, consumed: Math.floor(consumedAt / 1_000) } : payload
  }
}

/** Returns the code of an earlier read, but only once: a later look-up must see later changes. */
function takeRead(id: string) {
  const reads = currentReads()
  const { code } = reads
  if (code?.id !== id) return null
  reads.code = undefined
  return code
}

/** A pushed request that is gone counts as used: its code must not be issued twice. */
function usedRequest(jti: string): Payload {
  const now = Math.floor(Date.now() / 1_000)
  return { jti, kind: 'PushedAuthorizationRequest', iat: now, exp: now, consumed: now }
}

async function findMetadata(clientId: string) {
  const client = isMetadataUrl(clientId)
    ? await findMetadataClient(clientId)
    : await findAuthenticating(clientId)
  return client ? toMetadata(client) : undefined
}

const AUTHENTICATING = new Set([
  'token',
  'revocation',
  'pushed_authorization_request',
  'device_authorization',
])

/**
 * Also reads the evidence for a secret, if the request may present one. The session may end while a
 * client waits for its keys, the hash of its secret or its turn: its code is then read afterwards.
 */
async function findAuthenticating(clientId: string) {
  const { ctx } = Provider
  const reads = currentReads()
  if (!ctx || reads.evidence || !AUTHENTICATING.has(ctx.oidc.route))
    return findCurrentClient(clientId)
  const address = { clientId, ip: sourceOfRequest(ctx.req).ip }
  const { evidence, found } = await findSecretEvidence(address, codeOf(ctx.oidc))
  const client = await findRememberedClient(clientId)
  const isWaiting = client !== null && waits(client, evidence)
  Object.assign(reads, { evidence, code: isWaiting ? undefined : found })
  return client
}

function waits(client: OAuthClient, evidence?: SecretEvidence) {
  if (!hasSecret(client)) return client.jwksUri !== null
  return hasOnlyDigest(client) || !evidence || !isTrustedAddress(evidence)
}

async function activeGrant(grant: Payload | undefined) {
  await ensureConfiguration(() => store.readConfiguration())
  if (!grant || (await isRememberedAsDeleted(grant.clientId))) return undefined
  const isActive = takeSession(grant.jti)?.isActive
  return (isActive ?? (await isSessionActive(grant.accountId, grant.jti))) ? grant : undefined
}

/** Returns the session of an earlier read, but only once, as `takeRead` does with a code. */
function takeSession(grantId: string) {
  const reads = currentReads()
  const { session } = reads
  if (session?.grantId !== grantId) return undefined
  reads.session = undefined
  return session
}
