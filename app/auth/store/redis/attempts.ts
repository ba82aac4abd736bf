import { attemptsKey } from './keys.ts'
import type { AttemptLimits, AttemptsLock, Reservation } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'

type Reply = [outcome: Reservation['outcome'], number: string]

/** The attempts of a window and their lock, by the key that they count against. */
export class LoginAttempts {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async reserve(countKey: string, limits: AttemptLimits, now: number): Promise<Reservation> {
    const args = [limits.threshold, limits.windowMs, now]
    const keys = [attemptsKey(countKey)]
    const [outcome, number] = await this.#redis.run<Reply>('gatehouseReserveAttempt', keys, args)
    if (outcome === 'reserved') return { outcome, number: Number(number) }
    return { outcome, until: Number(number) }
  }

  async return(countKey: string) {
    await this.#redis.run('gatehouseReturnAttempt', [attemptsKey(countKey)])
  }

  async lock(countKey: string, { until, now }: AttemptsLock) {
    await this.#redis.run('gatehouseLockAttempts', [attemptsKey(countKey)], [until, now])
  }

  async clear(countKey: string) {
    await this.#redis.client.del(attemptsKey(countKey))
  }
}
