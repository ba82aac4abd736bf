import { queueMail } from '#mails/queue_mail'
import { fingerprintOf } from './fingerprint.ts'
import { hasOtherDevices, insertDevice } from './remember_device.ts'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/**
 * Mails a user about a sign-in from a device that is new to them, with a link that ends
 * their sessions: an attacker with the password is noticed. The first device of all is assumed to
 * be the user's own, and no mail is sent.
 *
 * @param signedInAt when the sign-in began, before it linked an identity
 */
export async function mailNewDevice(
  user: { id: string; email: string },
  { session, signedInAt }: { session: SessionRecord; signedInAt: number },
  trx: Transaction
) {
  const fingerprint = fingerprintOf(session)
  const isNew = await insertDevice(user.id, fingerprint, trx)
  if (!isNew || !(await hasOtherDevices(user.id, trx))) return
  const { deviceName, ip } = session
  const contents = { fingerprint, deviceName, ip, signedInAt: new Date(signedInAt).toISOString() }
  const recipient = user.email
  await queueMail({ kind: 'new_device', recipient, userId: user.id, contents }, trx)
}
