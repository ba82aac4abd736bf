import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { queueMail } from '#mails/queue_mail'
import { DEFAULT_DEVICE_ID } from './device.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/**
 * Mails the owner of a user that is signed in to from a device that it was never
 * signed in to from, with a link that ends the session. The first device of all is the
 * owner's own: nobody is asked about it.
 */
export async function mailNewDevice(
  user: { id: string; email: string },
  session: SessionRecord,
  trx: Transaction
) {
  const isNew = await rememberDevice(user.id, fingerprintOf(session), trx)
  if (!isNew || !(await hasOtherDevices(user.id, trx))) return
  const { id: sessionId, deviceName, ip, createdAt } = session
  const signedInAt = new Date(createdAt).toISOString()
  await queueMail(
    {
      kind: 'new_device',
      recipient: user.email,
      userId: user.id,
      contents: { sessionId, deviceName, ip, signedInAt },
    },
    trx
  )
}

/**
 * A client that names itself is known by that name wherever it is. Any other is known by
 * its kind and its network: a browser update, or another address of the same provider,
 * is no news.
 */
function fingerprintOf({ deviceId, deviceName, ip }: SessionRecord) {
  const device =
    deviceId === DEFAULT_DEVICE_ID ? ['kind', deviceName, networkOf(ip)] : ['id', deviceId]
  return createHash('sha256').update(JSON.stringify(device)).digest('base64url')
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address: about one site. */
function networkOf(ip: string) {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  const [kind, bits] =
    address.kind() === 'ipv4' ? ([ipaddr.IPv4, 24] as const) : ([ipaddr.IPv6, 48] as const)
  return kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()
}

/** True for the one sign-in that adds the device. */
async function rememberDevice(userId: string, fingerprint: string, trx: Transaction) {
  const rows = await selectRows(
    trx,
    `INSERT INTO known_devices (user_id, fingerprint, first_seen_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, fingerprint) DO NOTHING RETURNING user_id`,
    [userId, fingerprint, Date.now()]
  )
  return rows.length === 1
}

async function hasOtherDevices(userId: string, trx: Transaction) {
  const devices = await trx
    .from('known_devices')
    .where('user_id', userId)
    .limit(2)
    .select('user_id')
  return devices.length === 2
}

/** The devices that a user is known to be signed in to from, by fingerprint, the oldest first. */
export async function listKnownDevices(userId: string) {
  const rows = await db.from('known_devices').where('user_id', userId).orderBy('first_seen_at')
  return rows.map((row) => ({
    fingerprint: row.fingerprint as string,
    firstSeenAt: new Date(Number(row.first_seen_at)).toISOString(),
  }))
}
