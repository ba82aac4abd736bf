import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import limiter from '@adonisjs/limiter/services/main'
import { consumeInSteps } from '#auth/lockout/limit_in_steps'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'

const LIMIT = { limit: 90, windowMs: 60_000 }
const STEP = 3

async function storedCount(key: string) {
  const stored = await limiter.use({ requests: LIMIT.limit, duration: 60 }).get(key)
  return stored?.consumed ?? 0
}

async function take(key: string, times: number) {
  for (let taken = 0; taken < times; taken++) await consumeInSteps(key, LIMIT)
}

test.group('Limits in steps', () => {
  test('the store counts a thirtieth of the limit at once', async ({ assert }) => {
    const key = randomUUID()
    await take(key, STEP - 1)
    assert.equal(await storedCount(key), 0)
    await take(key, 1)
    assert.equal(await storedCount(key), STEP)
  })

  test('one process lets in as many as the limit', async ({ assert }) => {
    const key = randomUUID()
    await take(key, LIMIT.limit)
    await assert.rejects(() => consumeInSteps(key, LIMIT), E_TOO_MANY_REQUESTS as any)
  })

  test('what another process has counted is not let in again', async ({ assert }) => {
    const key = randomUUID()
    const counter = limiter.use({ requests: LIMIT.limit, duration: 60 })
    await counter.increment(key, LIMIT.limit)
    await take(key, STEP - 1)
    await assert.rejects(() => consumeInSteps(key, LIMIT), E_TOO_MANY_REQUESTS as any)
    await assert.rejects(() => consumeInSteps(key, LIMIT), E_TOO_MANY_REQUESTS as any)
  })
})
