import db from '@adonisjs/lucid/services/db'
import { PENDING_EMAIL_TTL_MS } from '#models/user'
import { inBatches } from '#database/batches'
import { voidOneTimeTokens } from './void_tokens.ts'
import type { Transaction } from '#database/transaction'

/** A thief with the previous password may have requested the address, and then has its link. */
export async function discardPendingEmail(userId: string, trx: Transaction) {
  const waiting = trx.from('users').where('id', userId).whereNotNull('pending_email')
  await waiting.update({ pending_email: null, pending_email_at: null, updated_at: Date.now() })
  await voidOneTimeTokens(userId, ['email_change'], trx)
}

/** Removes expired addresses: their owners may have no account here. @returns the number */
export async function prunePendingEmails(now: number) {
  const lapsed = () => db.from('users').where('pending_email_at', '<=', now - PENDING_EMAIL_TTL_MS)
  return inBatches(async (size) => {
    const batch = lapsed().limit(size).select('id')
    const removed = lapsed().whereIn('id', batch)
    return Number(await removed.update({ pending_email: null, pending_email_at: null }))
  })
}
