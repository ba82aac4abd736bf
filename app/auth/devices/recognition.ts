import { issueDeviceToken, verifyDeviceToken, type VerifiedDevice } from './device_token.ts'
import { findKnown } from './known_devices.ts'
import { upsertDevice } from './remember_device.ts'
import type { Recognition } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

export interface KnownDevice {
  /** The `jti` of its tokens, and the `token_id` of its row. */
  id: string
}

export interface RecognisedDevice extends KnownDevice {
  user: User
}

/** Requires a genuine token for this user, device id and password that was not withdrawn. */
export async function findKnownDevice(
  email: string,
  recognition?: Recognition
): Promise<RecognisedDevice | null> {
  const genuine = (recognition?.tokens ?? []).map(verifyDeviceToken)
  const claims = genuine.filter((each) => each?.deviceId === recognition!.deviceId)
  return claims.length > 0 ? findKnown(email, claims as VerifiedDevice[]) : null
}

interface SignIn {
  recognition?: Recognition
  session: SessionRecord
  passwordChangedAt: number
}

export async function rememberDevice(
  { recognition, session, passwordChangedAt }: SignIn,
  trx: Transaction
): Promise<string | null> {
  if (!recognition) return null
  const claims = { deviceId: recognition.deviceId, passwordChangedAt }
  const jti = await upsertDevice(session, claims, trx)
  return issueDeviceToken({ sub: session.userId, jti, ...claims })
}
