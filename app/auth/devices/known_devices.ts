import { firstWithConfiguration } from '#database/configuration_version'
import User from '#models/user'
import { fingerprintOfId } from './fingerprint.ts'
import type { VerifiedDevice } from './device_token.ts'
import type { Transaction } from '#database/transaction'

// A device with a `token_id` has its own count of guesses; without one, no earlier token is valid.
// The table is written here and in `remember_device.ts`.

/** Returns the device with its user, whom a sign-in by password needs next. */
export async function findKnown(email: string, claims: VerifiedDevice[]) {
  const query = User.query()
    .join('known_devices as d', 'd.user_id', 'users.id')
    .where('users.email', email)
    .where((any) => claims.forEach((each) => any.orWhere(conditionsOf(each))))
    .select('users.*', 'd.token_id')
  const user = await firstWithConfiguration(query)
  return user && { id: user.$extras.token_id as string, user }
}

function conditionsOf({ jti, sub, deviceId, passwordChangedAt }: VerifiedDevice) {
  return {
    'd.token_id': jti,
    'd.user_id': sub,
    'd.fingerprint': fingerprintOfId(deviceId),
    'users.password_changed_at': passwordChangedAt,
  }
}

/** Returns the ids by which the attempts of known devices are counted. */
export async function deviceIdsOf(userId: string, trx: Transaction): Promise<string[]> {
  const rows = await trx
    .from('known_devices')
    .where('user_id', userId)
    .whereNotNull('token_id')
    .select('token_id')
  return rows.map((row) => row.token_id)
}

/** Withdraws all devices or one. @returns the number of devices */
export async function forgetDevices(
  userId: string,
  which: { token_id?: string },
  trx: Transaction
) {
  const withdrawn = await trx
    .from('known_devices')
    .where({ user_id: userId, ...which })
    .whereNotNull('token_id')
    .update({ token_id: null })
  return Number(withdrawn)
}

/** A deleted device counts as new at its next sign-in, which then causes a mail. */
export async function forgetDevicesSince(userId: string, since: number, trx: Transaction) {
  const seen = trx.from('known_devices').where('user_id', userId)
  await seen.where('first_seen_at', '>=', since).delete()
}
