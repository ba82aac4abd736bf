import { getActiveTestOrFail } from '@japa/runner'
import limiter from '@adonisjs/limiter/services/main'
import type { RateLimit } from '#auth/lockout/rate_limit'

/** For the rest of a test, calls `act` before the counter of a limit counts such a key. */
export function beforeCount(
  { limit, windowMs }: RateLimit,
  prefix: string,
  act: () => Promise<unknown>
) {
  const counter = limiter.use({ requests: limit, duration: windowMs / 1_000 })
  const { increment } = counter
  counter.increment = async (key, amount) => {
    if (String(key).startsWith(prefix)) await act()
    return increment.call(counter, key, amount)
  }
  getActiveTestOrFail().cleanup(() => void (counter.increment = increment))
}
