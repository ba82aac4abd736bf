import { findBackupCode } from './backup_codes.ts'
import { decryptSecret, findTimeStep, isOneTimeCode } from './totp.ts'
import type { QueryClientContract as QueryClient } from '@adonisjs/lucid/types/database'
import type User from '#models/user'

/** Removes the spaces and dashes that apps show within codes. */
export function canonicalCode(code: string) {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

export function isBackupCode(input: string) {
  return /^[A-Z0-9]{10}$/.test(canonicalCode(input))
}

/** Returns true for only one of parallel callers: an overheard code must not work again. */
export type UseCode = (client: QueryClient) => Promise<boolean>

/** Returns null for a wrong code. Leaves a right code unused, because what it opens may fail. */
export async function findCode(user: User, input: string): Promise<UseCode | null> {
  const code = canonicalCode(input)
  if (isOneTimeCode(code)) return findOneTimeCode(user, code)
  return isBackupCode(code) ? findBackupCode(user.id, code) : null
}

async function findOneTimeCode(user: User, code: string): Promise<UseCode | null> {
  const secret = user.mfaSecret && decryptSecret(user.id, user.mfaSecret)
  const step = secret ? await findTimeStep(secret, code) : null
  return step === null ? null : (client) => useTimeStep(user.id, step, client)
}

// The step must be later than the last used one (RFC 6238, section 5.2).
async function useTimeStep(userId: string, step: number, client: QueryClient) {
  const changed = await client
    .from('users')
    .where({ id: userId, mfa_enabled: true })
    .where((query) => query.whereNull('mfa_last_step').orWhere('mfa_last_step', '<', step))
    .update({ mfa_last_step: step })
  return Number(changed) === 1
}
