import { issueDeviceToken, verifyDeviceToken, type VerifiedDevice } from './device_token.ts'
import { findKnown } from './known_devices.ts'
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
 * The device that a client proves to be: one of its tokens is genuine, of the user with this
 * e-mail and of this device id, of after the last change of the password, and not withdrawn.
 */
export async function findKnownDevice(
  email: string,
  recognition?: Recognition
): Promise<KnownDevice | null> {
  const genuine = (recognition?.tokens ?? []).map(verifyDeviceToken)
  const claims = genuine.filter((each) => each?.deviceId === recognition!.deviceId)
  return claims.length > 0 ? findKnown(email, claims as VerifiedDevice[]) : null
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
