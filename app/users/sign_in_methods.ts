import User from '#models/user'
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

/*
 | What a thief of a session or a password leaves behind to come back by, or to keep the
 | owner out. Ending sessions and setting another password reach none of it.
 */

/** Not a sign-in method, but an attacker may leave one behind all the same. */
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

/** What users add beside the password, each with the field that removes it in a reset. */
const CREDENTIALS = [
  ...Object.values(METHODS),
  { isMultiFactor: false, credentials: apiKeys },
].flatMap(({ isMultiFactor, credentials }) =>
  credentials ? [{ ...credentials, isMultiFactor }] : []
)

type Key = (typeof CREDENTIALS)[number]['key']

/** The kinds that a user removes as they set a password by mail. */
export type RemovalField = `remove${Capitalize<Key>}`
export type MethodChoice = Partial<Record<RemovalField, boolean>>

/**
 * Takes back what a thief may have added to an account since a time, in milliseconds since the
 * epoch: sign-in methods, a second factor, and a secret or an address that waits to be confirmed.
 *
 * @returns what was removed, for the event and for the person who reports
 */
export async function removeAllSince(userId: string, since: number, trx: Transaction) {
  await discardPendingSecret(userId, trx)
  await discardPendingEmail(userId, trx)
  const { removed, passkeys } = await removeMethods(userId, { since }, trx)
  const removedMfa = await removeSecondFactorSince(userId, since, trx)
  return { removed: { ...removed, ...removedMfa }, passkeys }
}

/** Whether something came since a time that `removeAllSince` would remove. */
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
  /** Only what was added since, in milliseconds since the epoch. */
  since: number
  /** Keeps the methods that are two factors. */
  keepsMultiFactor?: boolean
}

/** Removes credentials and known devices of a user. @returns what was removed, for the event */
export async function removeMethods(userId: string, removal: Removal, trx: Transaction) {
  const removed = await removeCredentials(userId, { ...removal, chosen: isAny }, trx)
  await forgetDevicesSince(userId, removal.since, trx)
  return removed
}

const isAny = () => true

/** Removes all credentials of the chosen kinds. @returns what was removed, for the event */
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

/** The credentials of a user, as exports show them. */
export async function listCredentials(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list } of CREDENTIALS) lists[key] = await list(userId)
  return lists as Lists
}

/** What a new password leaves as it is, for the user who sets it. */
export async function listSignInMethods(userId: string) {
  const lists: Partial<Lists> = {}
  for (const { key, list, summarize } of CREDENTIALS as (Credentials & { key: Key })[]) {
    const credentials = await list(userId)
    lists[key] = credentials.map(summarize)
  }
  return lists as Lists
}

/** Removes a second factor that was set up since a time, which would keep the owner out. */
async function removeSecondFactorSince(userId: string, since: number, trx: Transaction) {
  const { mfaEnabledAt } = await User.findOrFail(userId, { client: trx })
  if (!mfaEnabledAt || mfaEnabledAt.toMillis() < since) return {}
  await removeSecondFactor(userId, trx)
  return { removedMfa: true }
}
