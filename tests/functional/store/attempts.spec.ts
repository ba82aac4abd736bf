import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import store from '#auth/store/service'

const LIMITS = { threshold: 5, windowMs: 900_000 }

function reserve(hash: string, now: number, id = someHash()) {
  return store.reserveAttempt(hash, { ...LIMITS, id }, now)
}

function someHash() {
  return randomBytes(32).toString('base64url')
}

test.group('Store | login attempts', () => {
  test('numbers attempts up to the threshold', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (let number = 1; number <= 5; number++) {
      const reservation = await reserve(hash, now)
      assert.deepEqual(reservation, { outcome: 'reserved', number })
    }
    const sixth = await reserve(hash, now)
    assert.deepEqual(sixth, { outcome: 'exhausted', until: now + LIMITS.windowMs })
  })

  test('reserves five attempts of sixty at once', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    const reservations = await Promise.all(Array.from({ length: 60 }, () => reserve(hash, now)))
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
      for (let count = 1; count <= 5; count++) await reserve(hash, now)
      const next = await reserve(hash, now + LIMITS.windowMs + offset)
      assert.equal(next.outcome, outcome)
    })

  test('counts no attempt that was returned', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    const ids = ['a1', 'b2', 'c3', 'd4', 'e5']
    for (const id of ids) await reserve(hash, now, id)
    assert.isTrue(await store.returnAttempt(hash, 'c3'))
    const again = await reserve(hash, now)
    assert.deepEqual(again, { outcome: 'reserved', number: 5 })
  })

  test('returns an attempt once of three at once', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (const id of ['a1', 'b2']) await reserve(hash, now, id)
    const returned = await Promise.all([1, 2, 3].map(() => store.returnAttempt(hash, 'a1')))
    assert.sameMembers(returned, [true, false, false])
    const next = await reserve(hash, now)
    assert.deepEqual(next, { outcome: 'reserved', number: 2 })
  })

  test('returns no attempt that was not counted', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await reserve(hash, now)
    assert.isFalse(await store.returnAttempt(hash, 'unknown'))
    const next = await reserve(hash, now)
    assert.deepEqual(next, { outcome: 'reserved', number: 2 })
  })

  test('returns no attempt of an earlier window', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await reserve(hash, now, 'a1')
    await reserve(hash, now + LIMITS.windowMs)
    assert.isFalse(await store.returnAttempt(hash, 'a1'))
    const next = await reserve(hash, now + LIMITS.windowMs)
    assert.deepEqual(next, { outcome: 'reserved', number: 2 })
  })

  test('tells of a lock that it clears, once', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    assert.isNull(await store.unlockAttempts(hash))
    await reserve(hash, now)
    assert.isNull(await store.unlockAttempts(hash))
    await store.lockAttempts(hash, { until: now + 1_000, now })
    const ends = await Promise.all([1, 2, 3].map(() => store.unlockAttempts(hash)))
    assert.sameMembers(ends, [now + 1_000, null, null])
  })

  test('starts a new count once it is cleared', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await reserve(hash, now)
    await store.lockAttempts(hash, { until: now + 1_000, now })
    await store.clearAttempts(hash)
    const next = await reserve(hash, now)
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
      const attempt = await reserve(hash, until + offset)
      assert.equal(attempt.outcome, outcome)
      if (attempt.outcome === 'locked') assert.equal(attempt.until, until)
    })

  test('starts a new count when it lapses', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    for (let count = 1; count <= 5; count++) await reserve(hash, now)
    await store.lockAttempts(hash, { until: now + 1_000, now })
    const next = await reserve(hash, now + 1_000)
    assert.deepEqual(next, { outcome: 'reserved', number: 1 })
  })

  test('is not extended while it holds', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.lockAttempts(hash, { until: now + 1_000, now })
    await store.lockAttempts(hash, { until: now + 9_000, now: now + 500 })
    const attempt = await reserve(hash, now + 500)
    assert.deepEqual(attempt, { outcome: 'locked', until: now + 1_000 })
  })

  test('returns no attempt while it holds', async ({ assert }) => {
    const [hash, now] = [someHash(), Date.now()]
    await store.lockAttempts(hash, { until: now + 60_000, now })
    await store.returnAttempt(hash, 'a1')
    const { outcome } = await reserve(hash, now)
    assert.equal(outcome, 'locked')
  })
})
