import { attemptsKey } from './keys.ts'
import type { AttemptLimits, AttemptsLock, Reservation } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'

type Reply = [outcome: Reservation['outcome'], number: string]

export class LoginAttempts {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
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

  async lock(countKey: string, { until, now }: AttemptsLock) {
    await this.#redis.run('gatehouseLockAttempts', [attemptsKey(countKey)], [until, now])
  }

  async clear(countKey: string) {
    const until = await this.#redis.run('gatehouseClearAttempts', [attemptsKey(countKey)])
    return Number(until) || null
  }
}
