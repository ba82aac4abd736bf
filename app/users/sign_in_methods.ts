import User from '#models/user'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKeysSince } from '#auth/api_keys/revoke_keys'
import { forgetDevicesSince } from '#auth/devices/known_devices'
import { discardPendingSecret } from '#auth/mfa/pending_secret'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { removePasskeys } from '#auth/passkeys/manage_passkeys'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { discardPendingEmail } from '#auth/tokens/pending_email'
import { listIdentities } from './identities.ts'
import { removeIdentities } from './unlink_identity.ts'
import type { RemovedMethods } from '#events/details'
import type { Transaction } from '#database/transaction'

/*
 | What a thief of a session or a password leaves behind to come back by, or to keep the
 | owner out. Ending sessions and setting another password reach none of it.
 */

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
  const { identities, passkeys, apiKeys } = await listSignInMethods(userId)
  const times = [
    ...identities.map(({ linkedAt }) => linkedAt),
    ...[...passkeys, ...apiKeys].map(({ createdAt }) => createdAt),
  ]
  const isNewFactor = (user?.mfaEnabledAt?.toMillis() ?? 0) >= since
  return isNewFactor || times.some((time) => Date.parse(time) >= since)
}

/**
 * Removes identities, passkeys, API keys and known devices that a user got since a time, in milliseconds
 * since the epoch.
 *
 * @returns what was removed, for the event
 */
export async function removeMethods(
  userId: string,
  { since, keepsPasskeys = false }: { since: number; keepsPasskeys?: boolean },
  trx: Transaction
) {
  const unlinked = await removeIdentities(userId, { since }, trx)
  const passkeys = keepsPasskeys ? [] : await removePasskeys(userId, { since }, trx)
  await forgetDevicesSince(userId, since, trx)
  const revokedKeys = await revokeKeysSince(userId, since, trx)
  return summarize({ unlinked, passkeys, revokedKeys })
}

/** Which sign-in methods a person removes as they set a password by mail. */
export interface MethodChoice {
  removeIdentities?: boolean
  removePasskeys?: boolean
  removeApiKeys?: boolean
}

/** Removes those chosen: all identities, all passkeys, all API keys. @returns what was removed, for the event */
export async function removeChosenMethods(userId: string, chosen: MethodChoice, trx: Transaction) {
  const unlinked = chosen.removeIdentities ? await removeIdentities(userId, {}, trx) : []
  const passkeys = chosen.removePasskeys ? await removePasskeys(userId, {}, trx) : []
  const revokedKeys = chosen.removeApiKeys ? await revokeKeysSince(userId, 0, trx) : 0
  return summarize({ unlinked, passkeys, revokedKeys })
}

interface Removed {
  unlinked: string[]
  /** Their names. */
  passkeys: string[]
  revokedKeys: number
}

function summarize({ unlinked, passkeys, revokedKeys }: Removed) {
  const removed: RemovedMethods = {
    ...(unlinked.length > 0 && { unlinked }),
    ...(passkeys.length > 0 && { removedPasskeys: passkeys.length }),
    ...(revokedKeys > 0 && { revokedKeys }),
  }
  return { removed, passkeys }
}

/** What a new password leaves as it is, for the person who sets it. */
export async function listSignInMethods(userId: string) {
  const [identities, keys] = [await listIdentities(userId), await listKeys(userId)]
  const passkeys = await listPasskeys(userId)
  return {
    identities: identities.map(({ provider, email, linkedAt }) => ({ provider, email, linkedAt })),
    passkeys: passkeys.map(({ name, holder, createdAt }) => ({ name, holder, createdAt })),
    apiKeys: keys.map(({ name, createdAt, expiresAt }) => ({ name, createdAt, expiresAt })),
  }
}

/** Removes a second factor that was set up since a time, which would keep the owner out. */
async function removeSecondFactorSince(userId: string, since: number, trx: Transaction) {
  const { mfaEnabledAt } = await User.findOrFail(userId, { client: trx })
  if (!mfaEnabledAt || mfaEnabledAt.toMillis() < since) return {}
  await removeSecondFactor(userId, trx)
  return { removedMfa: true }
}
