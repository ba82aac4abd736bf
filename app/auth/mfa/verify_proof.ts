import type User from '#models/user'
import { E_INVALID_CODE } from '#auth/errors'
import { clearCodeThrottle, throttleCode } from '#auth/lockout/throttle'
import { countCode, uncountCode } from './code_attempts.ts'
import { useCode } from './codes.ts'
import { recordIfSuspending } from './wrong_codes.ts'
import { userActor } from '#audit/actor'

/** What a request carries to prove who sent it. */
export interface Proof {
  currentPassword?: string
  code?: string
}

/** The refusal that follows a wrong code is recorded with the address. */
const UNKNOWN_ORIGIN = { ip: null, userAgent: null }

export async function verifyCode(user: User, code: string) {
  await throttleCode(user.id)
  await assertCode(user, code)
  await clearCodeThrottle(user.id)
}

/** A wrong code counts to those in a row, as at a sign-in; a right one here does not clear them. */
async function assertCode(user: User, code: string) {
  const inARow = await countCode(user.id, code)
  const outcome = await useCode(user, code)
  if (outcome !== 'wrong') await uncountCode(user.id)
  else await recordIfSuspending(user, { inARow, actor: userActor(user.id, UNKNOWN_ORIGIN) })
  if (outcome !== 'right') throw new E_INVALID_CODE()
}
