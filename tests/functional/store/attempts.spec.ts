import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import store from '#auth/store/service'

const LIMITS = { threshold: 5, windowMs: 900_000 }

function someHash() {
  return randomBytes(32).toString('base64url')
}

test.group('Store | login attempts', () => {
  test('numbers attempts up to the threshold', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (let number = 1; number <= 5; number++) {
      const reservation = await store.reserveAttempt(hash, LIMITS, now)
      assert.deepEqual(reservation, { outcome: 'reserved', number })
    }
    const sixth = await store.reserveAttempt(hash, LIMITS, now)
    assert.deepEqual(sixth, { outcome: 'exhausted', until: now + LIMITS.windowMs })
  })

  test('reserves five attempts of sixty at once', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    const reservations = await Promise.all(
      Array.from({ length: 60 }, () => store.reserveAttempt(hash, LIMITS, now))
    )
    const numbers = reservations.flatMap((each) => (each.outcome === 'reserved' ? each.number : []))
    assert.sameMembers(numbers, [1, 2, 3, 4, 5])
  })

  test('is {outcome} {name} the end of the window')
    .with([
      { name: 'a millisecond before', offset: -1, outcome: 'exhausted' },
      { name: 'at', offset: 0, outcome: 'reserved' },
      { name: 'a millisecond after', offset: 1, outcome: 'reserved' },
    ])
    .run(async ({ assert }, { offset, outcome }) => {
      const [hash, now] = [someHash(), Date.now()]
      for (let count = 1; count <= 5; count++) await store.reserveAttempt(hash, LIMITS, now)
      const next = await store.reserveAttempt(hash, LIMITS, now + LIMITS.windowMs + offset)
      assert.equal(next.outcome, outcome)
    })

  test('counts no attempt that was returned', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (let count = 1; count <= 5; count++) await store.reserveAttempt(hash, LIMITS, now)
    await store.returnAttempt(hash)
    const again = await store.reserveAttempt(hash, LIMITS, now)
    assert.deepEqual(again, { outcome: 'reserved', number: 5 })
  })

  test('returns no more attempts than were reserved', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.reserveAttempt(hash, LIMITS, now)
    for (let count = 1; count <= 3; count++) await store.returnAttempt(hash)
    const next = await store.reserveAttempt(hash, LIMITS, now)
    assert.deepEqual(next, { outcome: 'reserved', number: 1 })
  })

  test('starts a new count once it is cleared', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.reserveAttempt(hash, LIMITS, now)
    await store.lockAttempts(hash, { until: now + 1_000, now })
    await store.clearAttempts(hash)
    const next = await store.reserveAttempt(hash, LIMITS, now)
    assert.deepEqual(next, { outcome: 'reserved', number: 1 })
  })
})

test.group('Store | locks', () => {
  test('is {outcome} {name} the end of the lock')
    .with([
      { name: 'a millisecond before', offset: -1, outcome: 'locked' },
      { name: 'at', offset: 0, outcome: 'reserved' },
      { name: 'a millisecond after', offset: 1, outcome: 'reserved' },
    ])
    .run(async ({ assert }, { offset, outcome }) => {
      const [hash, now] = [someHash(), Date.now()]
      const until = now + 60_000
      await store.lockAttempts(hash, { until, now })
      const attempt = await store.reserveAttempt(hash, LIMITS, until + offset)
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'locked') assert.equal(attempt.until, until)
    })

  test('starts a new count when it lapses', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (let count = 1; count <= 5; count++) await store.reserveAttempt(hash, LIMITS, now)
    await store.lockAttempts(hash, { until: now + 1_000, now })
    const next = await store.reserveAttempt(hash, LIMITS, now + 1_000)
    assert.deepEqual(next, { outcome: 'reserved', number: 1 })
  })

  test('is not extended while it holds', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.lockAttempts(hash, { until: now + 1_000, now })
    await store.lockAttempts(hash, { until: now + 9_000, now: now + 500 })
    const attempt = await store.reserveAttempt(hash, LIMITS, now + 500)
    assert.deepEqual(attempt, { outcome: 'locked', until: now + 1_000 })
  })

  test('returns no attempt while it holds', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.lockAttempts(hash, { until: now + 60_000, now })
    await store.returnAttempt(hash)
    const { outcome } = await store.reserveAttempt(hash, LIMITS, now)
    assert.equal(outcome, 'locked')
  })
})
