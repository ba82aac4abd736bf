import { randomBytes } from 'node:crypto'
import { assertActive } from '#auth/lock_for_change'
import { assertNotManaged, forgetManaged } from '#configuration/managed'
import { record } from '#events/record'
import { invalidField } from '#exceptions/http_errors'
import { assertKnownToAll } from '#processes/upgrade'
import { isConsentedByAnyone } from '#oidc/consents/consents'
import { hasGrants } from '#oidc/records/grant_rows'
import { isNarrowed } from '#oidc/clients/access/may_access'
import { lockAllowedGroups, withGroups } from '#oidc/clients/access/allowed_groups'
import { beginDeletion } from '#oidc/clients/deletion/begin_deletion'
import { queueEndOfAccess } from '#oidc/clients/lost_access/end_access_job'
import { hasSecret, type ClientSettings, type OAuthClient } from './client.ts'
import { assertSettings } from './assert_settings.ts'
import { changedFields, DEFAULTS } from './client_fields.ts'
import { deleteRow, insertClient, isIdUsed, lockClient, updateRow } from './client_rows.ts'
import { assertSizes, assertRoomForClient } from './client_limits.ts'
import { E_CLIENT_ID_TAKEN } from './errors.ts'
import { endServiceSessions } from './end_service_sessions.ts'
import { assertMayChangeClient } from './permissions.ts'
import { changesOfDeleted, changesOfNew, recordUpdate } from './recorded_changes.ts'
import { addedRestrictions } from './restrictions.ts'
import {
  hashSecret,
  isSecretOf,
  newSecret,
  rotated,
  secretFor,
  withoutPrevious,
  withoutSecrets,
} from './secrets.ts'
import { updated } from './updated_client.ts'
import type { Actor } from '#audit/actor'
import type { Group } from '#groups/group'
import type { Transaction } from '#database/transaction'

/* Changes clients within a transaction. A configuration file makes many changes in one. */

export interface RegisteredClient {
  client: OAuthClient
  clientSecret: string | null
}

export interface Registration {
  id: string
  clientId?: string
  settings: ClientSettings
  clientSecret: string | null
  /** A hash that another product made, instead of a secret. */
  secretDigest?: string
  actor: Actor
}

/** @param registration whose settings passed `assertSettings` @throws E_CLIENT_ID_TAKEN, E_CLIENT_LIMIT */
export async function createWithin(
  { actor, ...registration }: Registration,
  trx: Transaction
): Promise<RegisteredClient> {
  const { id, settings, clientSecret } = registration
  assertMayChangeClient({ before: null, after: settings }, actor)
  assertSizes(settings, null)
  await assertActive(actor, trx)
  await assertRoomForClient(actor, trx)
  await assertKnownToAll(addedRestrictions({ ...settings, ...DEFAULTS }, settings), trx)
  const groups = await lockAllowedGroups(settings.allowedGroups, trx)
  const client = withGroups(newRecord(registration), groups)
  if (!(await insertClient(client, trx))) return madeBefore(id, clientSecret, trx)
  if (await isIdUsed(client, trx)) throw new E_CLIENT_ID_TAKEN()
  await recordChange('client.created', client, { actor, trx, ...changesOfNew(client) })
  return { client, clientSecret }
}

async function madeBefore(id: string, secret: string | null, trx: Transaction) {
  const client = await lockClient(id, trx)
  if (!client) throw new E_CLIENT_ID_TAKEN()
  const isCurrent = secret !== null && client.secretHash === hashSecret(secret)
  return { client, clientSecret: isCurrent ? secret : null }
}

function newRecord({
  id,
  clientId = randomBytes(12).toString('hex'),
  settings,
  clientSecret,
  secretDigest,
}: Omit<Registration, 'actor'>): OAuthClient {
  const now = Date.now()
  const secretHash = clientSecret && hashSecret(clientSecret)
  const previous = { previousSecretHash: null, previousSecretUntil: null }
  const secrets = { secretHash, secretDigest: secretDigest ?? null, ...previous }
  const times = { createdAt: now, updatedAt: now }
  const ids = { id, clientId, allowedGroupIds: [], deletedGroupIds: [] }
  return { ...ids, logo: null, ...settings, ...secrets, ...times }
}

/** `clientId` may be sent back with a record, but cannot be changed. */
export type ClientUpdate = Partial<ClientSettings> & { clientId?: string }

export interface UpdateOf {
  changes: ClientUpdate
  actor: Actor
  /** The groups of `allowedGroups`, which are locked. */
  groups?: Group[]
}

/** The caller has locked the row of the client, as for the changes below. */
export async function updateWithin(
  before: OAuthClient,
  { changes, actor, groups }: UpdateOf,
  trx: Transaction
) {
  assertSameId(before, changes)
  const given = groups ? { ...changes, allowedGroups: groups.map(({ name }) => name) } : changes
  const client = updated(before, given, groups)
  const isInUse = await isClientInUse(before, trx)
  assertMayChangeClient({ before, after: client, isInUse }, actor)
  if (Object.keys(changedFields(before, given)).length === 0) return before
  await assertNotManaged({ kind: 'client', id: before.id }, namesOfChanges(before, client), trx)
  await assertKnownToAll(addedRestrictions(before, client), trx)
  await assertSettings(client, trx)
  assertSizes(client, before)
  await updateRow(client, trx)
  const isReplaced = client.serviceAccountId !== before.serviceAccountId
  if (isReplaced) await endServiceSessions(before, trx)
  if (isNarrowed(before, client)) await queueEndOfAccess({ clientId: client.clientId }, trx)
  await recordUpdate(before, client, { actor, trx })
  return client
}

/** A configuration file may give the secret, which the change of the method removes. */
function namesOfChanges(before: OAuthClient, after: OAuthClient): string[] {
  const names = Object.keys(changedFields(before, after))
  return hasSecret(before) && !hasSecret(after) ? [...names, 'clientSecret'] : names
}

function assertSameId({ clientId }: OAuthClient, given: ClientUpdate) {
  if (given.clientId === undefined || given.clientId === clientId) return
  throw invalidField('clientId', 'fixed', 'The clientId field cannot be changed')
}

async function isClientInUse({ clientId }: OAuthClient, trx: Transaction) {
  return (await isConsentedByAnyone(clientId, trx)) || (await hasGrants(clientId, trx))
}

interface RotationWithin {
  actor: Actor
  given?: string
  /** Comes from a form. If its secret was the previous one, another secret is made. */
  seed?: string
  /** The current secret is no longer accepted. */
  endsCurrent?: boolean
}

export async function rotateWithin(
  before: OAuthClient,
  { actor, given, seed, endsCurrent = false }: RotationWithin,
  trx: Transaction
): Promise<RegisteredClient> {
  const isInUse = await isClientInUse(before, trx)
  assertMayChangeClient({ before, after: before, hasNewSecret: true, isInUse }, actor)
  if (!hasSecret(before)) {
    const message = 'This client has no secret'
    throw invalidField('tokenEndpointAuthMethod', 'public', message)
  }
  const proposed = given ?? secretFor(before.id, seed)
  if (before.secretHash === hashSecret(proposed)) return { client: before, clientSecret: proposed }
  await assertNotManaged({ kind: 'client', id: before.id }, ['clientSecret'], trx)
  const clientSecret = given ?? (isSecretOf(before, proposed) ? newSecret() : proposed)
  const after = rotated(before, clientSecret, Date.now())
  const client = endsCurrent ? withoutPrevious(after) : after
  await updateRow(client, trx)
  await recordChange('client.secret_rotated', client, { actor, trx })
  return { client, clientSecret }
}

/** The first right secret replaces the digest. */
export async function giveDigestWithin(
  before: OAuthClient,
  { actor, secretDigest }: { actor: Actor; secretDigest: string },
  trx: Transaction
) {
  assertMayChangeClient({ before, after: before, hasNewSecret: true }, actor)
  const client = { ...withoutSecrets(before), secretDigest, updatedAt: Date.now() }
  await updateRow(client, trx)
  await recordChange('client.secret_rotated', client, { actor, trx })
}

/** Locks the service account after the client, as an update does: another order could deadlock. */
export async function deleteWithin(client: OAuthClient, actor: Actor, trx: Transaction) {
  const isInUse = await isClientInUse(client, trx)
  assertMayChangeClient({ before: client, after: null, isInUse }, actor)
  await forgetManaged({ kind: 'client', id: client.id }, trx)
  await deleteRow(client.id, trx)
  const grants = await beginDeletion(client, trx)
  const endedSessions = grants + (await endServiceSessions(client, trx))
  const more = { endedSessions, ...changesOfDeleted(client) }
  await recordChange('client.deleted', client, { actor, trx, ...more })
  return client
}

type ClientAction = 'client.created' | 'client.secret_rotated' | 'client.deleted'

async function recordChange(
  type: ClientAction,
  { clientId, name, kind }: OAuthClient,
  { actor, trx, ...more }: { actor: Actor; trx: Transaction } & Record<string, unknown>
) {
  const details = { clientId, name, kind, ...more }
  await record(trx, { type, user: null, actor, details })
}
