import { fingerprintOf } from './fingerprint.ts'
import { hasOtherDevices, trackDevice } from './remember_device.ts'
import type { NewDevice } from '#events/details'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

interface NewSession {
  session: SessionRecord
  /** The start of the sign-in, before the sign-in linked an identity. */
  signedInAt: number
  /** Whether the user had never signed in. Devices do not tell, because old ones are forgotten. */
  isFirst: boolean
}

/** Returns null for a seen device, and for the first sign-in, which is taken for the owner's. */
export async function findNewDevice(
  user: { id: string },
  { session, signedInAt, isFirst }: NewSession,
  trx: Transaction
): Promise<NewDevice | null> {
  const fingerprint = fingerprintOf(session)
  const isNew = await trackDevice(user.id, fingerprint, trx)
  if (!isNew || (isFirst && !(await hasOtherDevices(user.id, trx)))) return null
  const { deviceName, ip } = session
  return { fingerprint, deviceName, ip, signedInAt: new Date(signedInAt).toISOString() }
}
