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
import { noteLoss, untilCompared } from './redis/comparison.ts'

const RETRY_MS = 250

/**
 * A session that ended while another `STORE` was used may still be in this one. It must not come
 * back, so the first start after a switch ends all sessions before it serves any request.
 */
export async function endSessionsAfterSwitch() {
  if (await onlyOne(endSessionsOfOtherKind)) {
    logger.warn('STORE was changed: every session has ended')
  }
  const redis = await storeConnection()
  if (redis) await compareEachConnection(redis)
}

const watched = new WeakSet<RedisConnection>()

/** A server can start without Redis, and compares as soon as Redis answers. */
async function compareEachConnection(redis: RedisConnection) {
  const compare = () => endSessionsOfOtherRedis(redis)
  if (!watched.has(redis)) {
    watched.add(redis)
    redis.client.on('close', noteLoss)
    redis.client.on('ready', () => retryUntilCompared(compare))
  }
  await untilCompared(compare).catch((error) => {
    logger.warn({ reason: error.message }, 'Redis was not compared with the last one: trying again')
    retryUntilCompared(compare)
  })
}

/** If several processes start at the same time, only the first one empties the store. */
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
  await noteStore({ token_store: current }, trx)
  return previous !== null
}

async function noteStore(columns: { token_store: string; redis_id?: string }, trx: Transaction) {
  const row = { id: 1, ...columns }
  const query = trx.knexQuery().insert(row).into('installation').onConflict('id')
  await query.merge(Object.keys(columns))
}

/**
 * For a restore, which has emptied the store of its own settings. A Redis that a later start finds
 * may still contain earlier sessions.
 */
export async function noteEmptiedStore(trx: Transaction) {
  await noteStore({ token_store: env.get('STORE'), redis_id: randomUUID() }, trx)
}

/** Removes all rows in one step: a request has a time limit, which many rows would exceed. */
async function endAllSessions(current: string, trx: Transaction) {
  if (current === 'redis') return emptyStore()
  if (trx.dialect.name === 'postgres') await trx.rawQuery('TRUNCATE sessions, revoked_tokens')
  else await trx.from('sessions').delete()
}

/** @throws if Redis does not answer */
async function endSessionsOfOtherRedis(redis: RedisConnection) {
  await redis.ping()
  const { found, known } = await readIds(redis, db)
  if (found && found === known) return
  if (await onlyOne((trx) => compareRedis(redis, trx))) {
    logger.warn('Redis is another one than before: every session has ended')
  }
}

async function readIds(redis: RedisConnection, client: Pick<Transaction, 'from'>) {
  const row = await client.from('installation').where('id', 1).first()
  const known: string | null = row?.redis_id ?? null
  return { found: await redis.readId(), known }
}

/**
 * A Redis without an id is new or lost its data, and contains no session that ended elsewhere.
 * @returns whether sessions ended
 */
async function compareRedis(redis: RedisConnection, trx: Transaction) {
  const { found, known } = await readIds(redis, trx)
  if (found && found === known) return false
  const isOther = Boolean(found && known)
  if (isOther) await redis.removeAll()
  const id = isOther ? randomUUID() : (found ?? randomUUID())
  await redis.writeId(id)
  await trx.from('installation').where('id', 1).update({ redis_id: id })
  return isOther
}

let retrying: Promise<void> | null = null

/** Runs one retry at a time, because each new connection requests a retry. */
function retryUntilCompared(compare: () => Promise<void>) {
  retrying ??= retry(compare).finally(() => (retrying = null))
}

async function retry(compare: () => Promise<void>) {
  while (!app.isTerminating && !app.isTerminated) {
    const isDone = await untilCompared(compare).then(
      () => true,
      () => false
    )
    if (isDone) return
    await sleep(RETRY_MS, undefined, { ref: false })
  }
}
