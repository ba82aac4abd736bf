import db from '@adonisjs/lucid/services/db'
import { useBackupCode } from './backup_codes.ts'
import { decryptSecret, findTimeStep, isOneTimeCode } from './totp.ts'
import type User from '#models/user'

/** Removes blanks and dashes, which apps show within codes, and the difference of case. */
export function canonicalCode(code: string) {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

/**
 * Verifies a one-time or backup code of a user and uses it up: of several callers with one
 * code, on any number of processes, one gets true. A code that an attacker has read along
 * is thereby useless once it was used.
 */
export async function useCode(user: User, input: string): Promise<boolean> {
  const code = canonicalCode(input)
  if (isOneTimeCode(code)) return useOneTimeCode(user, code)
  if (!/^[A-Z0-9]{10}$/.test(code)) return false
  return db.transaction((trx) => useBackupCode(user.id, code, trx))
}

async function useOneTimeCode(user: User, code: string) {
  const secret = user.mfaSecret && decryptSecret(user.id, user.mfaSecret)
  if (!secret) return false
  const step = await findTimeStep(secret, code, user.mfaLastStep ?? null)
  return step !== null && useTimeStep(user.id, step)
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
