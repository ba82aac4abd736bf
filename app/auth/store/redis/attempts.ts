import { attemptsKey } from './keys.ts'
import type { AttemptLimits, AttemptsLock, Reservation } from '#auth/store/contract'
import type { RedisConnection } from './connection.ts'

type Reply = [outcome: Reservation['outcome'], number: string]

/** The login attempts of an e-mail in its window, and its lock. */
export class LoginAttempts {
  #redis: RedisConnection

  constructor(redis: RedisConnection) {
    this.#redis = redis
  }

  async reserve(emailHash: string, limits: AttemptLimits, now: number): Promise<Reservation> {
    const args = [limits.threshold, limits.windowMs, now]
    const keys = [attemptsKey(emailHash)]
    const [outcome, number] = await this.#redis.run<Reply>('gatehouseReserveAttempt', keys, args)
    if (outcome === 'reserved') return { outcome, number: Number(number) }
    return { outcome, until: Number(number) }
  }

  async return(emailHash: string) {
    await this.#redis.run('gatehouseReturnAttempt', [attemptsKey(emailHash)])
  }

  async lock(emailHash: string, { until, now }: AttemptsLock) {
    await this.#redis.run('gatehouseLockAttempts', [attemptsKey(emailHash)], [until, now])
  }

  async clear(emailHash: string) {
    await this.#redis.client.del(attemptsKey(emailHash))
  }
}
