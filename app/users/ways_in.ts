import { revokeKeysSince } from '#auth/api_keys/api_keys'
import { forgetDevicesSince } from '#auth/devices/known_devices'
import { removeSecondFactor } from '#auth/mfa/second_factor'
import { queueMail } from '#mails/queue_mail'
import { removeIdentities } from './unlink_identity.ts'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/*
 | What a thief of a session or a password leaves behind to come back by, or to keep the
 | owner out. Ending sessions and setting another password reach none of it.
 */

/**
 * Removes identities, API keys and known devices that a user got since a time, in milliseconds
 * since the epoch.
 *
 * @returns what was removed, for the trail
 */
export async function removeWaysIn(userId: string, since: number, trx: Transaction) {
  const unlinked = await removeIdentities(userId, { since }, trx)
  await forgetDevicesSince(userId, since, trx)
  const revokedKeys = await revokeKeysSince(userId, since, trx)
  return {
    ...(unlinked.length > 0 && { unlinked }),
    ...(revokedKeys > 0 && { revokedKeys }),
  }
}

/** Removes a second factor that was set up since a time, which would keep the owner out. */
export async function removeSecondFactorSince(user: User, since: number, trx: Transaction) {
  const { id: userId, email: recipient, mfaEnabledAt } = user
  if (!mfaEnabledAt || mfaEnabledAt.toMillis() < since) return {}
  await removeSecondFactor(userId, trx)
  await queueMail({ kind: 'mfa_disabled', recipient, userId, contents: {} }, trx)
  return { removedMfa: true }
}
