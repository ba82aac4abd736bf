import db from '@adonisjs/lucid/services/db'
import { useBackupCode } from './backup_codes.ts'
import { decryptSecret, findTimeStep, isOneTimeCode } from './totp.ts'
import type User from '#models/user'

/** Removes blanks and dashes, which apps show within codes, and the difference of case. */
export function canonicalCode(code: string) {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

/** Whether a text has the form of a backup code, which is too long to be guessed. */
export function isBackupCode(input: string) {
  return /^[A-Z0-9]{10}$/.test(canonicalCode(input))
}

/** A code that was right once is told from a wrong one: sending it twice is no guess. */
export type CodeOutcome = 'right' | 'used' | 'wrong'

/**
 * Verifies a one-time or backup code of a user and uses it up: of several callers with one
 * code, on any number of processes, one gets `right`. A code that an attacker has read along
 * is thereby useless once it was used.
 */
export async function useCode(user: User, input: string): Promise<CodeOutcome> {
  const code = canonicalCode(input)
  if (isOneTimeCode(code)) return useOneTimeCode(user, code)
  return isBackupCode(code) ? useBackupCode(user.id, code) : 'wrong'
}

async function useOneTimeCode(user: User, code: string): Promise<CodeOutcome> {
  const secret = user.mfaSecret && decryptSecret(user.id, user.mfaSecret)
  if (!secret) return 'wrong'
  const step = await findTimeStep(secret, code)
  if (step === null) return 'wrong'
  return (await useTimeStep(user.id, step)) ? 'right' : 'used'
}

/** The conditional UPDATE decides: the step must be later than the last one that was used. */
async function useTimeStep(userId: string, step: number) {
  const changed = await db
    .from('users')
    .where({ id: userId, mfa_enabled: true })
    .where((query) => query.whereNull('mfa_last_step').orWhere('mfa_last_step', '<', step))
    .update({ mfa_last_step: step })
  return Number(changed) === 1
}
