import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import limits from '#config/limits'
import passwords from '#config/passwords'
import { findAuthenticClient } from '#oidc/clients/authenticate_client'
import { createUser, login, someAddress } from '#tests/support/fixtures'
import { hashedClient } from '#tests/support/hashed_client'
import { beforeVerify } from '#tests/support/held_hash'
import { setLimit, withLimits } from '#tests/support/limits'
import { digestOf } from '#tests/support/secret_digests'

/* The cost of client secrets that are hashes of another product. */

const SECRET = 'insecure_secret'

/** Counts comparisons with a hash and how many run concurrently; runs `meanwhile` in each. */
function countHashes(meanwhile: () => unknown = () => {}) {
  const counts = { all: 0, running: 0, atOnce: 0 }
  beforeVerify(digestOf(SECRET), async () => {
    counts.all++
    counts.atOnce = Math.max(counts.atOnce, ++counts.running)
    await meanwhile()
    counts.running--
  })
  return counts
}

interface Attempt {
  ip?: string
  candidates?: string[]
}

/** Returns “right”, “wrong”, or the code of the refusal. */
async function attempt(
  { client: { clientId } }: Awaited<ReturnType<typeof hashedClient>>,
  { ip = someAddress(), candidates = ['wrong'] }: Attempt = {}
) {
  const from = { ip, userAgent: null }
  return findAuthenticClient({ clientId, candidates }, from).then(
    (client) => (client ? 'right' : 'wrong'),
    ({ code }) => code
  )
}

const right = [SECRET]

async function clients(count: number) {
  const apps = []
  for (let number = 0; number < count; number++) apps.push(await hashedClient(digestOf(SECRET)))
  return apps
}

test.group('Hashed secrets | forms', () => {
  test('{secret} is right as {sent}')
    .with([
      { secret: 'a+b/c=', sent: 'a+b/c=' },
      { secret: 'a+b', sent: 'a+b' },
      { secret: 'a+b/c=', sent: 'a%2Bb%2Fc%3D' },
      { secret: 'a b', sent: 'a+b' },
      { secret: '100%', sent: '100%' },
      { secret: 'a:b/c', sent: 'a:b/c' },
      { secret: 'a+b/c', sent: 'a%2Bb/c' },
    ])
    .run(async ({ assert }, { secret, sent }) => {
      const app = await hashedClient(digestOf(secret))
      const decoded = /%(?![\dA-F])/.test(sent) ? sent : decodeURIComponent(sent.replace('+', ' '))
      assert.equal(await attempt(app, { candidates: [decoded, sent] }), 'right')
    })

  test('a wrong one takes a hash for each way it reads', async ({ assert }) => {
    const app = await hashedClient(digestOf(SECRET))
    const counts = countHashes()
    assert.equal(await attempt(app, { candidates: ['ab', 'ab'] }), 'wrong')
    assert.equal(counts.all, 1)
    assert.equal(await attempt(app, { candidates: ['a b', 'a%20b'] }), 'wrong')
    assert.equal(counts.all, 3)
  })
})

test.group('Hashed secrets | one address, many applications', () => {
  const lower = () => setLimit(limits.hashedSecrets, 3)

  async function threeWrong(ip: string) {
    for (const app of await clients(3)) await attempt(app, { ip })
  }

  test('a fourth wrong secret is not computed', async ({ assert }) => {
    lower()
    const ip = someAddress()
    await threeWrong(ip)
    const counts = countHashes()
    const outcome = await attempt(await hashedClient(digestOf(SECRET)), { ip })
    assert.deepEqual([outcome, counts.all], ['E_TOO_MANY_REQUESTS', 0])
  })

  test('right secrets count nothing', async ({ assert }) => {
    lower()
    const ip = someAddress()
    for (const app of await clients(4)) {
      assert.equal(await attempt(app, { ip, candidates: right }), 'right')
    }
  })

  test('an application goes on where it succeeded before, and elsewhere', async ({ assert }) => {
    lower()
    const [app, ip] = [await hashedClient(digestOf(SECRET)), someAddress()]
    await attempt(app, { ip, candidates: right })
    await threeWrong(ip)
    assert.equal(await attempt(app, { ip, candidates: right }), 'right')
    assert.equal(await attempt(app, { candidates: right }), 'right')
  })

  test('ten right secrets at once are answered', async ({ assert }) => {
    lower()
    const ip = someAddress()
    const apps = await clients(10)
    const attempts = apps.map((app) => attempt(app, { ip, candidates: right }))
    assert.deepEqual([...new Set(await Promise.all(attempts))], ['right'])
  })
})

test.group('Hashed secrets | beside passwords', () => {
  test('many addresses take one place, and no room of a sign-in', async ({
    client,
    assert,
    cleanup,
  }) => {
    const { hashConcurrency } = passwords
    const { hashQueue } = limits
    cleanup(() => {
      passwords.hashConcurrency = hashConcurrency
      limits.hashQueue = hashQueue
    })
    const [app, user] = [await hashedClient(digestOf(SECRET)), await createUser()]
    const { promise: end, resolve: release } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const counts = countHashes(() => {
      begun.resolve()
      return end
    })
    const attempts = Array.from({ length: 5 }, () => attempt(app))
    await begun.promise
    await sleep(50)
    passwords.hashConcurrency = 0
    limits.hashQueue = 1
    const response = await login(client, { email: user.email })
    response.assertStatus(200)
    release()
    await Promise.all(attempts)
    assert.deepEqual([counts.all, counts.atOnce], [5, 1])
  })

  test('one address leaves other addresses a place', async ({ assert }) => {
    const apps = await clients(3)
    const { promise: end, resolve: release } = Promise.withResolvers<void>()
    countHashes(() => end)
    const ip = someAddress()
    const outcomes = await withLimits({ secretQueue: 1 }, async () => {
      const ofOne = apps.map((app) => attempt(app, { ip }))
      await sleep(100)
      const ofOther = attempt(apps[0])
      await sleep(100)
      release()
      return Promise.all([...ofOne, ofOther])
    })
    assert.deepEqual(
      outcomes,
      Array.from({ length: 4 }, () => 'wrong')
    )
  })
})
