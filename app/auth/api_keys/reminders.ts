import db from '@adonisjs/lucid/services/db'
import { yieldToEventLoop } from '#database/batches'
import User from '#models/user'
import { queueExpiryMails, type MailedKey } from './key_mails.ts'
import type { Transaction } from '#database/transaction'

// Limits a run, so that it does not hold the database for long. The next run continues.
const BATCH = 500

interface DueKey extends MailedKey {
  id: string
  user_id: string
}

/** The conditional UPDATE lets only one process queue each mail. @returns the number of mails */
export async function remindOfExpiringKeys(now = Date.now()) {
  const due: DueKey[] = await db
    .from('api_keys')
    .where('remind_at', '<=', now)
    .where('expires_at', '>', now)
    .orderBy('remind_at')
    .limit(BATCH)
    .select('id', 'user_id', 'created_by', 'name', 'scopes', 'expires_at')
  let queued = 0
  for (const key of due) {
    queued += (await db.transaction((trx) => remind(key, trx))) ? 1 : 0
    await yieldToEventLoop()
  }
  return queued
}

async function remind(key: DueKey, trx: Transaction) {
  const taken = await trx
    .from('api_keys')
    .where('id', key.id)
    .whereNotNull('remind_at')
    .update({ remind_at: null })
  if (Number(taken) !== 1) return false
  const owner = await User.find(key.user_id, { client: trx })
  if (!owner || owner.isDisabled) return false
  await queueExpiryMails({ owner, key }, trx)
  return true
}
