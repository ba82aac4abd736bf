import db from '@adonisjs/lucid/services/db'
import { fingerprintOfId } from './fingerprint.ts'
import type { VerifiedDevice } from './device_token.ts'
import type { Transaction } from '#database/transaction'

/*
 | The devices that a user has signed in from. Each is remembered for the mail about a new
 | one. A device with a `token_id` is known besides: its guesses are counted apart from those
 | of strangers. Withdrawn, it loses that id, so that no token of before counts again. The
 | table is written here and in `remember_device.ts`, and listed in `list_devices.ts`.
 */

/** The device of these claims that the database knows, for the user with this e-mail. */
export async function findKnown(email: string, claims: VerifiedDevice[]) {
  const row = await db
    .from('known_devices as d')
    .join('users as u', 'u.id', 'd.user_id')
    .where('u.email', email)
    .where((any) => claims.forEach((each) => any.orWhere(conditionsOf(each))))
    .select('d.token_id')
    .first()
  return row ? { id: row.token_id as string } : null
}

function conditionsOf({ jti, sub, deviceId, passwordChangedAt }: VerifiedDevice) {
  return {
    'd.token_id': jti,
    'd.user_id': sub,
    'd.fingerprint': fingerprintOfId(deviceId),
    'u.password_changed_at': passwordChangedAt,
  }
}

/** The ids by which the attempts of a user's known devices are counted. */
export async function deviceIdsOf(userId: string, trx: Transaction): Promise<string[]> {
  const rows = await trx
    .from('known_devices')
    .where('user_id', userId)
    .whereNotNull('token_id')
    .select('token_id')
  return rows.map((row) => row.token_id)
}

/** Withdraws what the user's devices are known by: all, or one; the number of them. */
export async function withdrawTokens(
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

/** Deletes the devices of a user that came since a time: each is new at its next sign-in. */
export async function forgetDevicesSince(userId: string, since: number, trx: Transaction) {
  const seen = trx.from('known_devices').where('user_id', userId)
  await seen.where('first_seen_at', '>=', since).delete()
}
