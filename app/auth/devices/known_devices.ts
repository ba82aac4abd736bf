import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { selectRows } from '#database/select_rows'
import { fingerprintOfId } from './fingerprint.ts'
import type { DeviceClaims } from './device_token.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/*
 | The devices that a user has signed in from. Each is remembered for the mail about a new
 | one. A device with a `token_id` is known besides: its guesses are counted apart from those
 | of strangers. Withdrawn, it loses that id, so that no token of before counts again. This
 | file owns the table `known_devices`.
 */

/** What users and administrators see of a known device. */
export interface DeviceRecord {
  id: string
  deviceName: string
  ip: string
  firstSeenAt: string
  lastSignInAt: string
  expiresAt: string
}

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

/** Whether the database knows the device of these claims, for the user with this e-mail. */
export async function isKnown(email: string, claims: DeviceClaims & { sub: string; jti: string }) {
  const row = await db
    .from('known_devices as d')
    .join('users as u', 'u.id', 'd.user_id')
    .where({ 'd.token_id': claims.jti, 'd.user_id': claims.sub, 'u.email': email })
    .where('d.fingerprint', fingerprintOfId(claims.deviceId))
    .where('u.password_changed_at', claims.passwordChangedAt)
    .select('d.token_id')
    .first()
  return Boolean(row)
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

/** Devices with a token that is still good: neither withdrawn, expired nor of an older password. */
function knownDevices(userId: string, client: QueryClientContract = db.connection()) {
  return client
    .from('known_devices as d')
    .where('d.user_id', userId)
    .whereNotNull('d.token_id')
    .where('d.expires_at', '>', Date.now())
    .whereExists((user) =>
      user
        .from('users as u')
        .whereColumn('u.id', 'd.user_id')
        .whereColumn('u.password_changed_at', 'd.password_changed_at')
    )
}

/** The known devices of a user, the one that signed in last first. */
export async function listDevices(userId: string): Promise<DeviceRecord[]> {
  const rows = await knownDevices(userId).orderBy('d.last_sign_in_at', 'desc').select('d.*')
  return rows.map((row) => ({
    id: row.token_id,
    deviceName: row.device_name,
    ip: row.ip,
    firstSeenAt: iso(row.first_seen_at),
    lastSignInAt: iso(row.last_sign_in_at),
    expiresAt: iso(row.expires_at),
  }))
}

/** Every device that a user was ever seen on, the oldest first, for the export. */
export async function listSeenDevices(userId: string) {
  const rows = await db.from('known_devices').where('user_id', userId).orderBy('first_seen_at')
  return rows.map((row) => ({
    fingerprint: row.fingerprint as string,
    deviceName: row.device_name as string | null,
    ip: row.ip as string | null,
    firstSeenAt: iso(row.first_seen_at),
    lastSignInAt: row.last_sign_in_at === null ? null : iso(row.last_sign_in_at),
  }))
}

const iso = (at: number | string) => new Date(Number(at)).toISOString()

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

async function withdrawOldest(userId: string, trx: Transaction) {
  const known = () => trx.from('known_devices').where('user_id', userId).whereNotNull('token_id')
  const kept = known().orderBy('last_sign_in_at', 'desc').limit(MOST_DEVICES).select('fingerprint')
  await known().whereNotIn('fingerprint', kept).update({ token_id: null })
}

/** Deletes the devices of a user that came since a time: each is new at its next sign-in. */
export async function forgetDevicesSince(userId: string, since: number, trx: Transaction) {
  const seen = trx.from('known_devices').where('user_id', userId)
  await seen.where('first_seen_at', '>=', since).delete()
}
