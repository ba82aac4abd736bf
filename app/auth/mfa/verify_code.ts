import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import { E_INVALID_CODE } from '#auth/errors'
import { clearCodeThrottle } from '#auth/lockout/throttle'
import { withinCodes } from '#auth/lockout/within_limits'
import { countCode, releaseCodeAttempt } from './code_attempts.ts'
import { findCode } from './codes.ts'
import { recordIfSuspending } from './wrong_codes.ts'
import { userActor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export interface PasswordAndCode {
  currentPassword?: string
  code?: string
}

const UNKNOWN_SOURCE = { ip: null, userAgent: null }

type Opening = (trx: Transaction) => Promise<unknown>

/** A `used` code is a right code that was sent twice, which is not a guess. */
type CodeOutcome = 'right' | 'used' | 'wrong'

/**
 * A right code does not clear the count of wrong codes, because it completes no sign-in.
 * @param open the change that the code permits; if it fails, the code stays unused
 */
export async function verifyCode(user: User, code: string, open?: Opening) {
  const { inARow, outcome } = await withinCodes(user.id, () => evaluate(user, code, open))
  if (outcome === 'wrong')
    await recordIfSuspending(user, { inARow, actor: userActor(user.id, UNKNOWN_SOURCE) })
  if (outcome !== 'right') throw new E_INVALID_CODE()
  await clearCodeThrottle(user.id)
}

// Does not record a wrong code: even if the record fails, the code was evaluated and must count.
async function evaluate(user: User, code: string, open?: Opening) {
  const inARow = await countCode(user.id, code)
  let outcome: CodeOutcome | null = null
  try {
    outcome = await useCode(user, code, open)
  } finally {
    if (outcome !== 'wrong') await releaseCodeAttempt(user.id)
  }
  return { inARow, outcome }
}

async function useCode(user: User, code: string, open?: Opening): Promise<CodeOutcome> {
  const use = await findCode(user, code)
  if (!use) return 'wrong'
  if (!open) return (await use(db.connection())) ? 'right' : 'used'
  return db.transaction(async (trx) => {
    if (!(await use(trx))) return 'used'
    await open(trx)
    return 'right'
  })
}
