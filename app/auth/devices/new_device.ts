import { queueMail } from '#mails/queue/queue_mail'
import { fingerprintOf } from './fingerprint.ts'
import { hasOtherDevices, seeDevice } from './remember_device.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

interface NewSession {
  session: SessionRecord
  /** When the sign-in began, before it linked an identity. */
  signedInAt: number
  /** Whether the user had never signed in: devices of long ago are forgotten. */
  isFirst: boolean
}

/**
 * Mails a user about a sign-in from a device that is new to them, with a link that ends
 * their sessions: an attacker with the password is noticed. The device of the first sign-in of all is
 * assumed to be the user's own, and no mail is sent.
 */
export async function mailNewDevice(
  user: { id: string; email: string },
  { session, signedInAt, isFirst }: NewSession,
  trx: Transaction
) {
  const fingerprint = fingerprintOf(session)
  const isNew = await seeDevice(user.id, fingerprint, trx)
  if (!isNew || (isFirst && !(await hasOtherDevices(user.id, trx)))) return
  const { deviceName, ip } = session
  const contents = { fingerprint, deviceName, ip, signedInAt: new Date(signedInAt).toISOString() }
  const recipient = user.email
  await queueMail({ kind: 'new_device', recipient, userId: user.id, contents }, trx)
}
