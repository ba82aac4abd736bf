import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import env from '#start/env'
import { lockName } from '#database/named_lock'
import type { Transaction } from '#database/transaction'
import { emptyStore } from './empty_store.ts'

/**
 * What ended while another `STORE` was used is still in this one: a session that was revoked must not
 * come back. The first start after a switch ends all sessions, before it serves any request.
 */
export async function endSessionsAfterSwitch() {
  const current = env.get('STORE')
  const isSwitched = await db.transaction(async (trx) => {
    // Of processes that start at once, one empties the store, and no other one after it.
    await lockName('token_store', trx)
    const row = await trx.from('installation').where('id', 1).first()
    const previous: string | null = row?.token_store ?? null
    if (previous === current) return false
    if (previous !== null) await endAllSessions(current, trx)
    const noted = { id: 1, token_store: current }
    await trx.knexQuery().insert(noted).into('installation').onConflict('id').merge(['token_store'])
    return previous !== null
  })
  if (isSwitched) logger.warn('STORE was changed: every session has ended')
}

/** At once, because a request has a time limit that many rows would pass. */
async function endAllSessions(current: string, trx: Transaction) {
  if (current === 'redis') return emptyStore()
  if (trx.dialect.name === 'postgres') await trx.rawQuery('TRUNCATE sessions, revoked_tokens')
  else await trx.from('sessions').delete()
}
