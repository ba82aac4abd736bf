import User from '#models/user'
import { E_LAST_ADMIN } from '#auth/errors'
import { changeUserKeepingAnAdmin } from '#auth/last_admin'
import { forgetDevicesSince } from '#auth/devices/known_devices'
import { discardPendingSecret } from '#auth/mfa/pending_secret'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { discardPendingEmail } from '#auth/tokens/pending_email'
import type { RemovedMethods, RemovedPasskeys } from '#events/details'
import type { Transaction } from '#database/transaction'
import { type Key, apiKeys, CREDENTIALS } from './sign_in_methods.ts'

export type RemovalField = `remove${Capitalize<Key>}`

export type MethodChoice = Partial<Record<RemovalField, boolean>>

interface RemovalSince {
  /** In milliseconds since the epoch. */
  since: number
  /** API keys are removed even so, because they open no session. */
  keepsMethods: boolean
}

/**
 * Keeps the methods if no administrator could sign in without them: otherwise the change would fail
 * and the sessions of an intruder would stay.
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

async function removeSecondFactorSince(userId: string, since: number, trx: Transaction) {
  const { mfaEnabledAt } = await User.findOrFail(userId, { client: trx })
  if (!mfaEnabledAt || mfaEnabledAt.toMillis() < since) return {}
  await removeSecondFactor(userId, trx)
  return { removedMfa: true }
}
