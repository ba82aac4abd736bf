import { issueDeviceToken, verifyDeviceToken } from './device_token.ts'
import { isKnown } from './known_devices.ts'
import { upsertDevice } from './remember_device.ts'
import type { Recognition } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

/** A device that has proved to be one of the user's: its attempts are counted by its id. */
export interface KnownDevice {
  /** The `jti` of its tokens, and the `token_id` of its row. */
  id: string
}

/**
 * The device that a client proves to be: its token is genuine, of the user with this e-mail
 * and of this device id, of after the last change of the password, and was not withdrawn.
 */
export async function findKnownDevice(
  email: string,
  recognition?: Recognition
): Promise<KnownDevice | null> {
  const claims = recognition?.token ? verifyDeviceToken(recognition.token) : null
  if (!claims || claims.deviceId !== recognition!.deviceId) return null
  return (await isKnown(email, claims)) ? { id: claims.jti } : null
}

interface SignIn {
  recognition?: Recognition
  session: SessionRecord
  passwordChangedAt: number
}

/** Remembers the device of a complete sign-in, and issues the token for the next one. */
export async function rememberDevice(
  { recognition, session, passwordChangedAt }: SignIn,
  trx: Transaction
): Promise<string | null> {
  if (!recognition) return null
  const claims = { deviceId: recognition.deviceId, passwordChangedAt }
  const jti = await upsertDevice(session, claims, trx)
  return issueDeviceToken({ sub: session.userId, jti, ...claims })
}
