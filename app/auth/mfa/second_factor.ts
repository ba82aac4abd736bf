import { endSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { deleteBackupCodes } from './backup_codes.ts'
import { closeChallenges } from './challenge.ts'
import { clearCodeWindow } from './code_attempts.ts'
import { discardPendingSecret } from './pending_secret.ts'
import { encryptSecret } from './totp.ts'
import type { Reauthentication } from './reauthentication.ts'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

export const NO_FAILURES = { mfa_failures: 0, mfa_locked_until: null }

/** @param step the time step of the confirming code, which must not work again */
export function storeSecondFactor(
  userId: string,
  { secret, step }: { secret: string; step: number },
  trx: Transaction
) {
  const columns = { mfa_secret: encryptSecret(userId, secret), mfa_last_step: step }
  const enabled = { mfa_enabled: true, mfa_enabled_at: Date.now() }
  return writeColumns(userId, { ...enabled, ...columns, ...NO_FAILURES }, trx)
}

/** Also ends the challenges that wait for the factor. */
export async function removeSecondFactor(userId: string, trx: Transaction) {
  const disabled = { mfa_enabled: false, mfa_enabled_at: null }
  const columns = { mfa_secret: null, mfa_last_step: null, ...NO_FAILURES }
  await writeColumns(userId, { ...disabled, ...columns }, trx)
  await clearCodeWindow(userId, trx)
  await deleteBackupCodes(userId, trx)
  await discardPendingSecret(userId, trx)
  await closeChallenges(userId, {}, trx)
}

async function writeColumns(userId: string, columns: object, trx: Transaction) {
  await trx
    .from('users')
    .where('id', userId)
    .update({ ...columns, updated_at: Date.now() })
}

export type SessionActor = Omit<Reauthentication, 'credentials'>

interface MfaChange {
  caller: SessionActor
  user: User
  isEnabled: boolean
}

export async function concludeMfaChange({ caller, user, isEnabled }: MfaChange, trx: Transaction) {
  const { sessionId, actor } = caller
  const endedSessions = await endSessions(user.id, { except: sessionId, trx })
  const type = isEnabled ? 'mfa.enabled' : 'mfa.disabled'
  await record(trx, { type, user, actor, details: { endedSessions } })
}
