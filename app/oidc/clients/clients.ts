import { createHmac, randomBytes } from 'node:crypto'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { invalidField } from '#exceptions/http_errors'
import { assertActive } from '#auth/lock_for_change'
import { record } from '#events/record'
import { isConsentedByAnyone } from '#oidc/consents/consents'
import { countGrants } from '#oidc/records/grant_rows'
import { isNarrowed } from '#oidc/clients/access/may_enter'
import { lockAllowedGroups, withGroups } from '#oidc/clients/access/allowed_groups'
import { beginDeletion, continueDeletion } from '#oidc/clients/deletion/begin_deletion'
import { queueEndOfAccess } from '#oidc/clients/lost_access/end_access_job'
import {
  hasSecret,
  isHeldByKeys,
  isPublic,
  type ClientSettings,
  type OAuthClient,
} from './client.ts'
import { assertSettings } from './assert_settings.ts'
import { changedFields, withDefaults, type NewClient } from './client_fields.ts'
import { changeClient, changeWithGroups } from './change_client.ts'
import { deleteRow, insertClient, isIdUsed, lockClient, updateRow } from './client_rows.ts'
import { E_CLIENT_ID_TAKEN } from './errors.ts'
import { endServiceSessions } from './end_service_sessions.ts'
import { assertMayChangeClient } from './limits.ts'
import { prepareKey } from './prepare_key.ts'
import { hashSecret, isSecretOf, newSecret, rotated, secretOfForm } from './secrets.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/* Only administrators register clients: an application by itself cannot ask users for consent. */

export interface RegisteredClient {
  client: OAuthClient
  clientSecret: string | null
}

/** @param seed 256 random bits of a form, which sent twice registers one client */
export async function createClient(given: NewClient, actor: Actor, seed?: string) {
  const settings = withDefaults(given)
  assertMayChangeClient({ before: null, after: settings }, actor)
  await assertSettings(settings)
  assertSecretFits(settings, given)
  const id = seed ? idOfForm(seed, given) : uuidv7()
  const registered = await db.transaction(async (trx): Promise<RegisteredClient> => {
    await assertActive(actor, trx)
    const clientSecret = hasSecret(settings) ? (given.clientSecret ?? secretFor(id, seed)) : null
    const groups = await lockAllowedGroups(settings.allowedGroups, trx)
    const made = newRecord({ id, clientId: given.clientId }, settings, clientSecret)
    const client = withGroups(made, groups)
    if (!(await insertClient(client, trx))) return madeBefore(id, clientSecret, trx)
    if (await isIdUsed(client, trx)) throw new E_CLIENT_ID_TAKEN()
    await recordChange('client.created', client, { actor, trx })
    return { client, clientSecret }
  })
  await prepareKey(registered.client)
  return registered
}

function assertSecretFits(settings: ClientSettings, { clientSecret }: NewClient) {
  if (clientSecret === undefined || hasSecret(settings)) return
  throw invalidField('clientSecret', 'secretMethod', 'This kind of client has no secret')
}

function idOfForm(seed: string, given: NewClient) {
  const digest = createHmac('sha256', seed).update(JSON.stringify(given)).digest()
  return uuidv4({ random: digest.subarray(0, 16) })
}

function secretFor(id: string, seed?: string) {
  return seed ? secretOfForm(seed, id) : newSecret()
}

async function madeBefore(id: string, secret: string | null, trx: Transaction) {
  const client = await lockClient(id, trx)
  if (!client) throw new E_CLIENT_ID_TAKEN()
  return { client, clientSecret: secret && isSecretOf(client, secret) ? secret : null }
}

function newRecord(
  { id, clientId = randomBytes(12).toString('hex') }: { id: string; clientId?: string },
  settings: ClientSettings,
  secret: string | null
): OAuthClient {
  const now = Date.now()
  const secrets = { secretHash: secret && hashSecret(secret), previousSecretHash: null }
  const times = { previousSecretUntil: null, createdAt: now, updatedAt: now }
  return { id, clientId, logo: null, allowedGroupIds: [], ...settings, ...secrets, ...times }
}

/** A client that loses its secret is held to PKCE, and one that loses its keys forgets them. */
function updated(before: OAuthClient, given: Partial<ClientSettings>): OAuthClient {
  const changes = changedFields(before, given)
  const client = { ...before, ...changes }
  const pkce = isPublic(client) && !isPublic(before) ? { requirePkce: true } : {}
  const hasLostKeys = isHeldByKeys(before) && !isHeldByKeys(client)
  const keys = hasLostKeys ? { jwks: null, jwksUri: null } : {}
  const settings = { ...before, ...pkce, ...keys, ...changes, updatedAt: Date.now() }
  return hasSecret(settings) ? settings : withoutSecrets(settings)
}

export async function updateClient(id: string, changes: ClientUpdate, actor: Actor) {
  const { allowedGroups: names } = changes
  const target = { id, actor, names }
  const changed = await changeWithGroups(target, async (before, trx, groups) => {
    assertSameId(before, changes)
    const given = groups ? { ...changes, allowedGroups: groups.map(({ name }) => name) } : changes
    const plain = updated(before, given)
    const client = groups ? withGroups(plain, groups) : plain
    const isInUse = await isClientInUse(before, trx)
    assertMayChangeClient({ before, after: client, isInUse }, actor)
    if (Object.keys(changedFields(before, given)).length === 0) return before
    await assertSettings(client, trx)
    await updateRow(client, trx)
    const isReplaced = client.serviceAccountId !== before.serviceAccountId
    if (isReplaced) await endServiceSessions(before, trx)
    if (isNarrowed(before, client)) await queueEndOfAccess(client.clientId, trx)
    await recordChange('client.updated', client, { actor, trx })
    return client
  })
  if (changes.idTokenAlgorithm) await prepareKey(changed)
  return changed
}

/** Sent back with a record. */
type ClientUpdate = Partial<ClientSettings> & { clientId?: string }

function assertSameId({ clientId }: OAuthClient, given: ClientUpdate) {
  if (given.clientId === undefined || given.clientId === clientId) return
  throw invalidField('clientId', 'fixed', 'The clientId field cannot be changed')
}

async function isClientInUse({ clientId }: OAuthClient, trx: Transaction) {
  return (await isConsentedByAnyone(clientId, trx)) || (await countGrants(clientId, trx)) > 0
}

function withoutSecrets(client: OAuthClient): OAuthClient {
  return { ...client, secretHash: null, previousSecretHash: null, previousSecretUntil: null }
}

interface Rotation {
  /** A form that is sent twice rotates once. */
  seed?: string
  clientSecret?: string
}

/** The current secret stays good for a day. */
export function rotateSecret(
  id: string,
  actor: Actor,
  { seed, clientSecret: given }: Rotation = {}
): Promise<RegisteredClient> {
  return changeClient(id, actor, async (before, trx) => {
    const isInUse = await isClientInUse(before, trx)
    assertMayChangeClient({ before, after: before, hasNewSecret: true, isInUse }, actor)
    if (!hasSecret(before)) {
      const message = 'This client has no secret'
      throw invalidField('tokenEndpointAuthMethod', 'public', message)
    }
    const proposed = given ?? secretFor(id, seed)
    if (before.secretHash === hashSecret(proposed))
      return { client: before, clientSecret: proposed }
    const isFormer = isSecretOf(before, proposed)
    const clientSecret = isFormer && !given ? newSecret() : proposed
    const client = rotated(before, clientSecret, Date.now())
    await updateRow(client, trx)
    await recordChange('client.secret_rotated', client, { actor, trx })
    return { client, clientSecret }
  })
}

/** Locks the service account after the client, as an update does: another order could deadlock. */
export async function deleteClient(id: string, actor: Actor) {
  const deleted = await changeClient(id, actor, async (client, trx) => {
    const isInUse = await isClientInUse(client, trx)
    assertMayChangeClient({ before: client, after: null, isInUse }, actor)
    await deleteRow(id, trx)
    const grants = await beginDeletion(client, trx)
    const endedSessions = grants + (await endServiceSessions(client, trx))
    await recordChange('client.deleted', client, { actor, trx, endedSessions })
    return client
  })
  await continueDeletion(deleted.clientId)
  return deleted
}

type ClientAction = 'client.created' | 'client.updated' | 'client.secret_rotated' | 'client.deleted'

export async function recordChange(
  type: ClientAction,
  { clientId, name, kind }: OAuthClient,
  { actor, trx, ...more }: { actor: Actor; trx: Transaction; endedSessions?: number }
) {
  const details = { clientId, name, kind, ...more }
  await record(trx, { type, user: null, actor, details })
}
