import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { queueMail } from '#mails/queue_mail'
import { DEFAULT_DEVICE_ID } from './device.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/**
 * Mails a user about a sign-in from a device that is new to them, with a link that ends the
 * session: an attacker with the password is noticed. The first device of all is assumed to
 * be the user's own, and no mail is sent.
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
 * A client that sends a device id is recognised by it in every network. Any other client
 * is recognised by browser, system and network, so that a browser update, or another
 * address of the same network, does not make a new device.
 */
function fingerprintOf({ deviceId, deviceName, ip }: SessionRecord) {
  const device =
    deviceId === DEFAULT_DEVICE_ID ? ['kind', deviceName, networkOf(ip)] : ['id', deviceId]
  return createHash('sha256').update(JSON.stringify(device)).digest('base64url')
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address: about one site. */
function networkOf(ip: string) {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  const [kind, bits] =
    address.kind() === 'ipv4' ? ([ipaddr.IPv4, 24] as const) : ([ipaddr.IPv6, 48] as const)
  return kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()
}

/** Inserts the device: true for the one sign-in that inserted it. */
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

/** The known devices of a user, the oldest first. */
export async function listKnownDevices(userId: string) {
  const rows = await db.from('known_devices').where('user_id', userId).orderBy('first_seen_at')
  return rows.map((row) => ({
    fingerprint: row.fingerprint as string,
    firstSeenAt: new Date(Number(row.first_seen_at)).toISOString(),
  }))
}

/** Deletes the known devices of a user, so that each is new at its next sign-in. */
export async function forgetKnownDevices(userId: string, trx: Transaction) {
  await trx.from('known_devices').where('user_id', userId).delete()
}
