import type User from '#models/user'
import { E_INVALID_CODE } from '#auth/errors'
import { clearCodeThrottle } from '#auth/lockout/throttle'
import { withinCodes } from '#auth/lockout/uncounted_login'
import { countCode, releaseCodeAttempt } from './code_attempts.ts'
import { useCode, type CodeOutcome } from './codes.ts'
import { recordIfSuspending } from './wrong_codes.ts'
import { userActor } from '#audit/actor'

/** What a request carries to prove who sent it. */
export interface Proof {
  currentPassword?: string
  code?: string
}

/** The refusal that follows a wrong code is recorded with the address. */
const UNKNOWN_SOURCE = { ip: null, userAgent: null }

/** A wrong code counts to those in a row, as at a sign-in; a right one here does not clear them. */
export async function verifyCode(user: User, code: string) {
  const { inARow, outcome } = await withinCodes(user.id, () => evaluate(user, code))
  if (outcome === 'wrong')
    await recordIfSuspending(user, { inARow, actor: userActor(user.id, UNKNOWN_SOURCE) })
  if (outcome !== 'right') throw new E_INVALID_CODE()
  await clearCodeThrottle(user.id)
}

/** Recording a wrong code is no part of it: where that fails, the code was evaluated. */
async function evaluate(user: User, code: string) {
  const inARow = await countCode(user.id, code)
  let outcome: CodeOutcome | null = null
  try {
    outcome = await useCode(user, code)
  } finally {
    if (outcome !== 'wrong') await releaseCodeAttempt(user.id)
  }
  return { inARow, outcome }
}
