import db from '@adonisjs/lucid/services/db'
import { useBackupCode } from './backup_codes.ts'
import { decryptSecret, findTimeStep, isOneTimeCode } from './totp.ts'
import type User from '#models/user'

/** Apps show blanks and dashes within codes. */
export function canonicalCode(code: string) {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

export function isBackupCode(input: string) {
  return /^[A-Z0-9]{10}$/.test(canonicalCode(input))
}

/** `used` is a right code that was sent twice: it is no guess. */
export type CodeOutcome = 'right' | 'used' | 'wrong'

/** Of parallel callers with one code, one gets `right`: an overheard code is useless once used. */
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

// The step must be later than the last used one (RFC 6238, section 5.2).
async function useTimeStep(userId: string, step: number) {
  const changed = await db
    .from('users')
    .where({ id: userId, mfa_enabled: true })
    .where((query) => query.whereNull('mfa_last_step').orWhere('mfa_last_step', '<', step))
    .update({ mfa_last_step: step })
  return Number(changed) === 1
}
