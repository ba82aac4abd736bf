import { randomUUID } from 'node:crypto'
import lockout from '#config/lockout'
import { selectRows } from '#database/select_rows'
import { fingerprintOfId } from './fingerprint.ts'
import type { DeviceClaims } from './device_token.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** Beyond these the one that was used least recently is withdrawn: the list stays readable. */
const MOST_DEVICES = 50

/** Inserts the device: true for the one sign-in that inserted it. */
export async function insertDevice(userId: string, fingerprint: string, trx: Transaction) {
  const rows = await selectRows(
    trx,
    `INSERT INTO known_devices (user_id, fingerprint, first_seen_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, fingerprint) DO NOTHING RETURNING user_id`,
    [userId, fingerprint, Date.now()]
  )
  return rows.length === 1
}

export async function hasOtherDevices(userId: string, trx: Transaction) {
  const devices = await trx
    .from('known_devices')
    .where('user_id', userId)
    .limit(2)
    .select('user_id')
  return devices.length === 2
}

/**
 * Remembers the device of a sign-in, and returns what it is known by: a device that is known
 * keeps its id, so that its earlier tokens are good until they expire.
 */
export async function upsertDevice(session: SessionRecord, claims: DeviceClaims, trx: Transaction) {
  const { userId, deviceName, ip, createdAt: now } = session
  const { deviceId, passwordChangedAt } = claims
  const tokenId = randomUUID()
  const fingerprint = fingerprintOfId(deviceId)
  const expiresAt = now + lockout.deviceTtlMs
  const values = { userId, fingerprint, now, tokenId, deviceName, ip, passwordChangedAt, expiresAt }
  const [row] = await selectRows<{ token_id: string }>(trx, UPSERT, values)
  if (row.token_id === tokenId) await withdrawOldest(userId, trx)
  return row.token_id
}

const UPSERT = `
  INSERT INTO known_devices AS d (user_id, fingerprint, first_seen_at, token_id, device_name, ip,
    last_sign_in_at, password_changed_at, expires_at)
  VALUES (:userId, :fingerprint, :now, :tokenId, :deviceName, :ip, :now, :passwordChangedAt,
    :expiresAt)
  ON CONFLICT (user_id, fingerprint) DO UPDATE SET
    token_id = COALESCE(d.token_id, excluded.token_id),
    device_name = excluded.device_name, ip = excluded.ip,
    last_sign_in_at = excluded.last_sign_in_at, expires_at = excluded.expires_at,
    password_changed_at = excluded.password_changed_at
  RETURNING token_id`

async function withdrawOldest(userId: string, trx: Transaction) {
  const known = () => trx.from('known_devices').where('user_id', userId).whereNotNull('token_id')
  const kept = known().orderBy('last_sign_in_at', 'desc').limit(MOST_DEVICES).select('fingerprint')
  await known().whereNotIn('fingerprint', kept).update({ token_id: null })
}
