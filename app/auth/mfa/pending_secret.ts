import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import { decryptSecret, encryptSecret } from './totp.ts'
import type { Transaction } from '#database/transaction'

// This file owns `mfa_enrolments`: one unconfirmed, encrypted secret for each user.

export async function storePendingSecret(userId: string, secret: string, trx: Transaction) {
  const row = {
    user_id: userId,
    secret: encryptSecret(userId, secret),
    expires_at: Date.now() + settings.enrolmentTtlMs,
  }
  await trx.knexQuery().table('mfa_enrolments').insert(row).onConflict('user_id').merge()
}

export async function findPendingSecret(userId: string) {
  const row = await db
    .from('mfa_enrolments')
    .where('user_id', userId)
    .where('expires_at', '>', Date.now())
    .first()
  return row ? decryptSecret(userId, row.secret) : null
}

export async function discardPendingSecret(userId: string, trx: Transaction) {
  const removed = await trx.from('mfa_enrolments').where('user_id', userId).delete()
  return Number(removed) === 1
}
