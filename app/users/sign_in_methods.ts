import User from '#models/user'
import { E_LAST_ADMIN } from '#auth/errors'
import { changeUserKeepingAnAdmin } from '#auth/last_admin'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKeysSince } from '#auth/api_keys/revoke_keys'
import { forgetDevicesSince } from '#auth/devices/known_devices'
import { discardPendingSecret } from '#auth/mfa/pending_secret'
import { METHODS } from '#auth/methods/methods'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { discardPendingEmail } from '#auth/tokens/pending_email'
import type { Credentials } from '#auth/methods/sign_in_method'
import type { KeyRecord } from '#auth/api_keys/key_record'
import type { RemovedMethods, RemovedPasskeys } from '#events/details'
import type { Transaction } from '#database/transaction'

/* A thief may add these to return later: ending sessions or a new password does not remove them. */

/** API keys are no sign-in method, but an attacker may leave one too. */
const apiKeys = {
  key: 'apiKeys',
  list: listKeys,
  summarize: ({ name, createdAt, expiresAt }: KeyRecord) => ({ name, createdAt, expiresAt }),
  addedAt: ({ createdAt }: KeyRecord) => createdAt,
  removeSince: async (userId: string, since: number, trx: Transaction) => {
    const revokedKeys = await revokeKeysSince(userId, since, trx)
    return { removed: revokedKeys > 0 ? { revokedKeys } : {} }
  },
} satisfies Credentials

const CREDENTIALS = [
  ...Object.values(METHODS),
  { isMultiFactor: false, credentials: apiKeys },
].flatMap(({ isMultiFactor, credentials }) =>
  credentials ? [{ ...credentials, isMultiFactor }] : []
)

type Key = (typeof CREDENTIALS)[number]['key']

export type RemovalField = `remove${Capitalize<Key>}`
export type MethodChoice = Partial<Record<RemovalField, boolean>>

interface RemovalSince {
  /** In milliseconds since the epoch. */
  since: number
  /** API keys go all the same: they open no session. */
  keepsMethods: boolean
}

/**
 * Where no administrator could sign in without the methods, they stay: else the sessions of an
 * intruder would stay too.
 */
export async function changeRemovingMethods<T>(
  owner: User,
  change: (trx: Transaction, removal: Pick<RemovalSince, 'keepsMethods'>) => Promise<T>
) {
  const attempt = (keepsMethods: boolean) =>
    changeUserKeepingAnAdmin(owner, (trx) => change(trx, { keepsMethods }))
  try {
    return await attempt(false)
  } catch (error) {
    if (!(error instanceof E_LAST_ADMIN)) throw error
    return attempt(true)
  }
}

/** @returns what was removed, for the event and the user */
export async function removeAllSince(
  userId: string,
  { since, keepsMethods }: RemovalSince,
  trx: Transaction
) {
  await discardPendingSecret(userId, trx)
  await discardPendingEmail(userId, trx)
  if (keepsMethods) return removeKeysSince(userId, since, trx)
  const { removed, passkeys } = await removeMethods(userId, { since }, trx)
  const removedMfa = await removeSecondFactorSince(userId, since, trx)
  return { removed: { ...removed, ...removedMfa }, passkeys }
}

async function removeKeysSince(userId: string, since: number, trx: Transaction) {
  await forgetDevicesSince(userId, since, trx)
  const { removed } = await apiKeys.removeSince(userId, since, trx)
  return { removed: { ...removed, keptMethods: true }, passkeys: [] }
}

export async function hasAddedSince(userId: string, since: number) {
  const user = await User.find(userId)
  const isNewFactor = (user?.mfaEnabledAt?.toMillis() ?? 0) >= since
  if (isNewFactor) return true
  const times = await addedTimes(userId)
  return times.some((time) => Date.parse(time) >= since)
}

async function addedTimes(userId: string) {
  const times: string[] = []
  for (const { list, addedAt } of CREDENTIALS as Credentials[]) {
    const credentials = await list(userId)
    times.push(...credentials.map(addedAt))
  }
  return times
}

interface Removal {
  since: number
  keepsMultiFactor?: boolean
}

/** @returns what was removed, for the event */
export async function removeMethods(userId: string, removal: Removal, trx: Transaction) {
  const removed = await removeCredentials(userId, { ...removal, chosen: isAny }, trx)
  await forgetDevicesSince(userId, removal.since, trx)
  return removed
}

const isAny = () => true

export function removeChosenMethods(
  userId: string,
  { keepsMultiFactor, ...choice }: MethodChoice & Pick<Removal, 'keepsMultiFactor'>,
  trx: Transaction
) {
  const chosen = (key: Key) => choice[removalField(key)] === true
  return removeCredentials(userId, { since: 0, keepsMultiFactor, chosen }, trx)
}

function removalField(key: Key) {
  return `remove${key[0].toUpperCase()}${key.slice(1)}` as RemovalField
}

async function removeCredentials(
  userId: string,
  { since, keepsMultiFactor = false, chosen }: Removal & { chosen: (key: Key) => boolean },
  trx: Transaction
) {
  const all: { removed: RemovedMethods } & RemovedPasskeys = { removed: {}, passkeys: [] }
  for (const { key, isMultiFactor, removeSince } of CREDENTIALS) {
    if (!chosen(key) || (keepsMultiFactor && isMultiFactor)) continue
    const { removed, ...names } = await removeSince(userId, since, trx)
    Object.assign(all, names, { removed: { ...all.removed, ...removed } })
  }
  return all
}

type Lists = Record<Key, object[]>

export async function listCredentials(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list } of CREDENTIALS) lists[key] = await list(userId)
  return lists as Lists
}

export async function listSignInMethods(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list, summarize } of CREDENTIALS as (Credentials & { key: Key })[]) {
    const credentials = await list(userId)
    lists[key] = credentials.map(summarize)
  }
  return lists as Lists
}

async function removeSecondFactorSince(userId: string, since: number, trx: Transaction) {
  const { mfaEnabledAt } = await User.findOrFail(userId, { client: trx })
  if (!mfaEnabledAt || mfaEnabledAt.toMillis() < since) return {}
  await removeSecondFactor(userId, trx)
  return { removedMfa: true }
}
