import { randomUUID } from 'node:crypto'
import limits from '#config/limits'
import lockout from '#config/lockout'
import { selectRows } from '#database/select_rows'
import { fingerprintOfId } from './fingerprint.ts'
import type { DeviceClaims } from './device_token.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** Times in milliseconds since the epoch. */
interface SeenDevice {
  userId: string
  fingerprint: string
  now: number
  expiresAt: number
}

/** Returns true for the one sign-in that inserts the device, or renews an expired device. */
export async function trackDevice(userId: string, fingerprint: string, trx: Transaction) {
  const now = Date.now()
  const seen = { userId, fingerprint, now, expiresAt: now + lockout.deviceTtlMs }
  const known = await selectRows(trx, UPDATE_DEVICE, { ...seen })
  if (known.length === 1) return false
  const added = await selectRows(trx, INSERT_DEVICE, { ...seen })
  if (added.length === 1) await forgetOldest(seen, trx)
  return added.length === 1
}

const UPDATE_DEVICE = `
  UPDATE known_devices SET last_sign_in_at = :now, expires_at = :expiresAt
  WHERE user_id = :userId AND fingerprint = :fingerprint AND expires_at > :now
  RETURNING user_id`

const INSERT_DEVICE = `
  INSERT INTO known_devices AS d
    (user_id, fingerprint, first_seen_at, last_sign_in_at, expires_at)
  VALUES (:userId, :fingerprint, :now, :now, :expiresAt)
  ON CONFLICT (user_id, fingerprint) DO UPDATE SET first_seen_at = excluded.first_seen_at,
    last_sign_in_at = excluded.last_sign_in_at, expires_at = excluded.expires_at, token_id = NULL
  WHERE d.expires_at <= excluded.first_seen_at
  RETURNING user_id`

export async function hasOtherDevices(userId: string, trx: Transaction) {
  const devices = await trx
    .from('known_devices')
    .where('user_id', userId)
    .limit(2)
    .select('user_id')
  return devices.length === 2
}

/** A known device keeps its id, so that its earlier tokens are valid until they expire. */
export async function upsertDevice(session: SessionRecord, claims: DeviceClaims, trx: Transaction) {
  const { userId, deviceName, ip, createdAt: now } = session
  const { deviceId, passwordChangedAt } = claims
  const tokenId = randomUUID()
  const fingerprint = fingerprintOfId(deviceId)
  const expiresAt = now + lockout.deviceTtlMs
  const values = { userId, fingerprint, now, tokenId, deviceName, ip, passwordChangedAt, expiresAt }
  const [row] = await selectRows<{ token_id: string }>(trx, UPSERT, values)
  if (row.token_id === tokenId) await forgetOldest({ userId, fingerprint, now, expiresAt }, trx)
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

// Deletes expired devices and, beyond `knownDevices`, the least recently used devices.
async function forgetOldest({ userId, fingerprint, now }: SeenDevice, trx: Transaction) {
  const others = () =>
    trx.from('known_devices').where('user_id', userId).whereNot('fingerprint', fingerprint)
  const recent = others().orderBy('last_sign_in_at', 'desc').orderBy('fingerprint')
  const kept = recent.limit(limits.knownDevices - 1).select('fingerprint')
  await others()
    .where((old) => old.where('expires_at', '<=', now).orWhereNotIn('fingerprint', kept))
    .delete()
}
