import { fingerprintOf } from './fingerprint.ts'
import { hasOtherDevices, seeDevice } from './remember_device.ts'
import type { NewDevice } from '#events/details'
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
 * What a mail says about a sign-in from a device that is new to its user; null for a device that
 * they had before, and for that of their first sign-in, which is assumed to be their own.
 */
export async function findNewDevice(
  user: { id: string },
  { session, signedInAt, isFirst }: NewSession,
  trx: Transaction
): Promise<NewDevice | null> {
  const fingerprint = fingerprintOf(session)
  const isNew = await seeDevice(user.id, fingerprint, trx)
  if (!isNew || (isFirst && !(await hasOtherDevices(user.id, trx)))) return null
  const { deviceName, ip } = session
  return { fingerprint, deviceName, ip, signedInAt: new Date(signedInAt).toISOString() }
}
