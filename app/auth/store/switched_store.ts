import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import env from '#start/env'
import { lockName } from '#database/named_lock'
import type { Transaction } from '#database/transaction'
import type { RedisConnection } from './redis/connection.ts'
import { emptyStore, storeConnection } from './empty_store.ts'

const RETRY_MS = 1_000

/**
 * What ended while another `STORE` was used is still in this one: a session that was revoked must not
 * come back. The first start after a switch ends all sessions, before it serves any request.
 */
export async function endSessionsAfterSwitch() {
  if (await onlyOne(endSessionsOfOtherKind)) {
    logger.warn('STORE was changed: every session has ended')
  }
  if (env.get('STORE') !== 'redis') return
  // A server starts without Redis, and looks again once that answers.
  await endSessionsOfOtherRedis().catch((error) => {
    logger.warn({ reason: error.message }, 'Redis was not compared with the last one: trying again')
    void untilCompared()
  })
}

/** Of processes that start at once, one empties the store, and no other one after it. */
function onlyOne(work: (trx: Transaction) => Promise<boolean>) {
  return db.transaction(async (trx) => {
    await lockName('token_store', trx)
    return work(trx)
  })
}

async function endSessionsOfOtherKind(trx: Transaction) {
  const current = env.get('STORE')
  const row = await trx.from('installation').where('id', 1).first()
  const previous: string | null = row?.token_store ?? null
  if (previous === current) return false
  if (previous !== null) await endAllSessions(current, trx)
  const noted = { id: 1, token_store: current }
  await trx.knexQuery().insert(noted).into('installation').onConflict('id').merge(['token_store'])
  return previous !== null
}

/** At once, because a request has a time limit that many rows would pass. */
async function endAllSessions(current: string, trx: Transaction) {
  if (current === 'redis') return emptyStore()
  if (trx.dialect.name === 'postgres') await trx.rawQuery('TRUNCATE sessions, revoked_tokens')
  else await trx.from('sessions').delete()
}

/** @throws where Redis does not answer */
async function endSessionsOfOtherRedis() {
  const redis = (await storeConnection())!
  await redis.ping()
  if (await onlyOne((trx) => compareRedis(redis, trx))) {
    logger.warn('Redis is another one than before: every session has ended')
  }
}

/**
 * A Redis without an id is new or lost its data, and has no session that ended elsewhere.
 * @returns whether sessions ended
 */
async function compareRedis(redis: RedisConnection, trx: Transaction) {
  const installation = () => trx.from('installation').where('id', 1)
  const { redis_id: known } = await installation().firstOrFail()
  const found = await redis.readId()
  if (found && found === known) return false
  const isOther = Boolean(found && known)
  if (isOther) await redis.removeAll()
  const id = isOther ? randomUUID() : (found ?? randomUUID())
  await redis.writeId(id)
  await installation().update({ redis_id: id })
  return isOther
}

async function untilCompared() {
  while (!app.isTerminating && !app.isTerminated) {
    await sleep(RETRY_MS, undefined, { ref: false })
    const isDone = await endSessionsOfOtherRedis().then(
      () => true,
      () => false
    )
    if (isDone) return
  }
}
