import type User from '#models/user'
import { E_INVALID_CODE } from '#auth/errors'
import { clearCodeThrottle } from '#auth/lockout/throttle'
import { withinCodes } from '#auth/lockout/uncounted_login'
import { countCode, releaseCodeAttempt } from './code_attempts.ts'
import { useCode, type CodeOutcome } from './codes.ts'
import { recordIfSuspending } from './wrong_codes.ts'
import { userActor } from '#audit/actor'

export interface PasswordAndCode {
  currentPassword?: string
  code?: string
}

const UNKNOWN_SOURCE = { ip: null, userAgent: null }

/** A right code clears no wrong ones, because it completes no sign-in. */
export async function verifyCode(user: User, code: string) {
  const { inARow, outcome } = await withinCodes(user.id, () => evaluate(user, code))
  if (outcome === 'wrong')
    await recordIfSuspending(user, { inARow, actor: userActor(user.id, UNKNOWN_SOURCE) })
  if (outcome !== 'right') throw new E_INVALID_CODE()
  await clearCodeThrottle(user.id)
}

// Excludes the record of a wrong code: where that fails, the code was evaluated.
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
