import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface DeviceRecord {
  id: string
  deviceName: string
  ip: string
  firstSeenAt: string
  lastSignInAt: string
  expiresAt: string
}

// Selects only active tokens: not withdrawn, not expired and not from before a password change.
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

/** Returns the device with the latest sign-in first. */
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

/** Returns at most 50 devices for the export, the oldest first. */
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
