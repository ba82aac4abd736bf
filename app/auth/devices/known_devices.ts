import db from '@adonisjs/lucid/services/db'
import { fingerprintOfId } from './fingerprint.ts'
import type { VerifiedDevice } from './device_token.ts'
import type { Transaction } from '#database/transaction'

// A device with a `token_id` has its own count of guesses; without it, no earlier token counts. The
// table is written here and in `remember_device.ts`.

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

/** The attempts of known devices are counted by these ids. */
export async function deviceIdsOf(userId: string, trx: Transaction): Promise<string[]> {
  const rows = await trx
    .from('known_devices')
    .where('user_id', userId)
    .whereNotNull('token_id')
    .select('token_id')
  return rows.map((row) => row.token_id)
}

/** Withdraws all, or one. @returns the number */
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

/** Deleted devices are new again, and mailed about, at the next sign-in. */
export async function forgetDevicesSince(userId: string, since: number, trx: Transaction) {
  const seen = trx.from('known_devices').where('user_id', userId)
  await seen.where('first_seen_at', '>=', since).delete()
}
