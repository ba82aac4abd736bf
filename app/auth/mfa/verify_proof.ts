import type User from '#models/user'
import { E_INVALID_CODE } from '#auth/errors'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { countCode, uncountCode } from './code_attempts.ts'
import { useCode } from './codes.ts'
import type { Factors } from '#auth/sessions/authentication'

/** What a request carries to prove who sent it. */
export interface Proof {
  currentPassword?: string
  code?: string
}

export async function verifyProof(user: User, { currentPassword, code }: Proof): Promise<Factors> {
  if (currentPassword) await assertCurrentPassword(user, currentPassword)
  const hasCode = Boolean(user.mfaEnabled && code)
  if (hasCode) await verifyCode(user, code!)
  return { first: Boolean(currentPassword), second: hasCode }
}

export async function verifyCode(user: User, code: string) {
  await throttleCode(user.id)
  await assertCode(user, code)
  await clearCodeThrottle(user.id)
}

/** A wrong code counts to those in a row, as at a sign-in; a right one here does not clear them. */
async function assertCode(user: User, code: string) {
  await countCode(user.id, code)
  const outcome = await useCode(user, code)
  if (outcome !== 'wrong') await uncountCode(user.id)
  if (outcome !== 'right') throw new E_INVALID_CODE()
}
