import { randomUUID } from 'node:crypto'
import { attemptsKey } from './keys.ts'
import type { Transaction } from '#database/transaction'
import type { AttemptLimits, AttemptsLock, Reservation } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'
import type { ScriptName } from './scripts.ts'
import type { UnsentChanges } from './unsent_changes.ts'

type Reply = [outcome: Reservation['outcome'], number: string]

export class LoginAttempts {
  #redis: RedisConnection
  #unsent: UnsentChanges

  constructor(redis: RedisConnection, unsent: UnsentChanges) {
    this.#redis = redis
    this.#unsent = unsent
  }

  async reserve(
    countKey: string,
    { threshold, windowMs, id }: AttemptLimits & { id: string },
    now: number
  ): Promise<Reservation> {
    const args = [threshold, windowMs, now, id]
    const keys = [attemptsKey(countKey)]
    const [outcome, number] = await this.#redis.run<Reply>('gatehouseReserveAttempt', keys, args)
    if (outcome === 'reserved') return { outcome, number: Number(number) }
    return { outcome, until: Number(number) }
  }

  async return(countKey: string, id: string) {
    const keys = [attemptsKey(countKey)]
    const returned = await this.#redis.run<number>('gatehouseReturnAttempt', keys, [id])
    return returned === 1
  }

  async lock(countKey: string, { until, now, isUndoable }: AttemptsLock, trx?: Transaction) {
    const lockId = isUndoable ? randomUUID() : ''
    const args = [until, now, lockId]
    await this.#change('gatehouseLockAttempts', { countKey, args, lockId }, trx)
  }

  async clear(countKey: string, trx?: Transaction) {
    await this.#change('gatehouseClearAttempts', { countKey }, trx)
  }

  async unlock(countKey: string, trx?: Transaction) {
    const script = trx ? 'gatehouseFindLock' : 'gatehouseClearAttempts'
    const until = await this.#redis.run<string | number>(script, [attemptsKey(countKey)])
    if (trx) await this.clear(countKey, trx)
    return Number(until) || null
  }

  async #change(script: ScriptName, { countKey, args = [], lockId }: Change, trx?: Transaction) {
    const keys = [attemptsKey(countKey)]
    const undo = lockId ? { script: 'gatehouseUndoLock' as const, keys, args: [lockId] } : undefined
    if (trx) await this.#unsent.add({ script, keys, args, undo }, trx)
    else await this.#redis.run(script, keys, args)
  }
}

interface Change {
  countKey: string
  args?: (string | number)[]
  lockId?: string
}
