import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/users'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { Backend, newcomer, UNLIMITED } from './backend.ts'
import { Product } from './product.ts'
import { RawConnection, statusOf, timeless } from './raw_connection.ts'

/** The connections on which an attacker sends guesses without a pause. */
const CONNECTIONS = 32

/** Enough for nearly every answer to concurrent guesses. */
const GUESSES_OF_CONTROL = 500

/** The answers to concurrent guesses depend on chance: this many users show them all. */
const CONTROLS = 20

const ADMIN = { ADMIN_EMAIL: someEmail(), ADMIN_PASSWORD: PASSWORD }

interface Installation {
  name: string
  processes: number
  /** The minimum number of guesses of the attacker. The attack lasts at least `attackMs`. */
  guesses: number
  attackMs: number
  backend: () => Promise<Pick<Backend, 'settings' | 'remove'>>
}

const INSTALLATIONS: Installation[] = [
  {
    name: 'Postgres and Redis',
    processes: 2,
    guesses: 10_000,
    attackMs: 30_000,
    backend: () => Backend.withRedis(),
  },
  {
    name: 'Postgres',
    processes: 2,
    guesses: 2_000,
    attackMs: 5_000,
    backend: () => Backend.withPostgres(),
  },
  {
    name: 'SQLite',
    processes: 1,
    guesses: 10_000,
    attackMs: 5_000,
    backend: async () => ({ settings: UNLIMITED, remove: async () => {} }),
  },
]

/** The answers to guesses, without their times, and the count of each answer. */
type Answers = Map<string, number>

function countOf(answers: Answers, status: number) {
  const counts = [...answers].filter(([answer]) => statusOf(answer) === status)
  return counts.reduce((sum, [, count]) => sum + count, 0)
}

for (const { name, processes, guesses, attackMs, backend: startBackend } of INSTALLATIONS) {
  test.group(`Lockout | an attack, ${name}, processes: ${processes}`, (group) => {
    let backend: Pick<Backend, 'settings' | 'remove'>
    let products: Product[]
    group.setup(async () => {
      backend = await startBackend()
      const settings = { ...backend.settings, ...ADMIN }
      const spawned = Array.from({ length: processes }, () => Product.spawn(settings))
      products = await Promise.all(spawned)
      await Promise.all(products.map((product) => product.answers('/health/ready')))
    })
    group.teardown(async () => {
      for (const product of products) await product.remove()
      await backend.remove()
    })

    const productOf = (count: number) => products[count % processes]

    async function logIn(count: number, email: string, headers = {}) {
      return productOf(count).ask('/auth/login', {
        body: { email, password: PASSWORD },
        headers,
      })
    }

    /** Makes a user, and returns the headers that identify the user's device. */
    async function ownerWithDevice() {
      const { email, id } = await newcomer(products[0])
      const device = { 'x-device-id': 'laptop' }
      const { response } = await logIn(0, email, device)
      const deviceToken = response.headers.get('x-device-token')!
      return { email, id, headers: { ...device, 'x-device-token': deviceToken } }
    }

    /** All guesses after the first “locked” answer are right: none of them may be evaluated. */
    async function attack(email: string, { least, until }: { least: number; until: number }) {
      const answers: Answers = new Map()
      let [sent, isLocked] = [0, false]
      const guess = async (_: unknown, index: number) => {
        const connection = await RawConnection.open(productOf(index).url)
        while (sent < least || Date.now() < until) {
          sent++
          const password = isLocked ? PASSWORD : `Wrong-h0rse-${sent}`
          const answer = timeless(await connection.post('/auth/login', { email, password }))
          isLocked ||= statusOf(answer) === 403
          answers.set(answer, (answers.get(answer) ?? 0) + 1)
        }
        connection.close()
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, guess))
      return { sent, answers }
    }

    /** Adds the answers to guesses at the password of a new user without a device. */
    async function addAnswers(expected: Set<string>) {
      const { email } = await newcomer(products[0])
      const { answers } = await attack(email, { least: GUESSES_OF_CONTROL, until: 0 })
      for (const answer of answers.keys()) expected.add(answer)
    }

    /** Signs in every second until the attack ends, and resolves with the statuses. */
    async function keepSigningIn(email: string, headers: object, attacking: Promise<unknown>) {
      const statuses: number[] = []
      let isOver = false
      void attacking.finally(() => (isOver = true))
      while (!isOver) {
        const [{ status }] = await Promise.all([
          logIn(statuses.length, email, headers),
          wait(1_000),
        ])
        statuses.push(status)
      }
      return statuses
    }

    /** Returns the number of evaluated guesses according to the audit trail. */
    async function evaluatedGuesses(userId: string) {
      const { body } = await logIn(0, ADMIN.ADMIN_EMAIL)
      const counts = ['login.failed', 'account.locked', 'device.locked'].map(async (action) => {
        const path = `/audit-events?target=${userId}&action=${action}`
        const { body: page } = await products[0].ask(path, { token: body.accessToken })
        return page.meta.total as number
      })
      const [failed, locked, ofDevice] = await Promise.all(counts)
      return failed + locked + ofDevice
    }

    test('keeps the owner in and strangers to five guesses', async ({ assert }) => {
      const expected = new Set<string>()
      await addAnswers(expected)
      const { email, id, headers } = await ownerWithDevice()
      const attacking = attack(email, { least: guesses, until: Date.now() + attackMs })
      const statuses = await keepSigningIn(email, headers, attacking)
      const { sent, answers } = await attacking
      assert.isAtLeast(sent, guesses)
      assert.isAtLeast(statuses.length, Math.floor(attackMs / (1_000 + SCHEDULING_MS)))
      assert.deepEqual([...new Set(statuses)], [200])
      assert.equal(countOf(answers, 200), 0)
      assert.equal(countOf(answers, 401) + 1, await evaluatedGuesses(id))
      assert.isAtMost(countOf(answers, 401), 4)
      const isAnswered = () => [...answers.keys()].every((answer) => expected.has(answer))
      for (let user = 1; user < CONTROLS && !isAnswered(); user++) await addAnswers(expected)
      assert.includeMembers([...expected], [...answers.keys()])
    }).timeout(180_000)

    test('answers a stranger alike with and without a known device', async ({ assert }) => {
      const [owner, other] = [await ownerWithDevice(), await newcomer(products[0])]
      const connection = await RawConnection.open(products[0].url)
      const guess = async (email: string, password: string) =>
        timeless(await connection.post('/auth/login', { email, password }))
      for (const password of [...Array.from({ length: 6 }, () => 'Wrong-h0rse!'), PASSWORD]) {
        const answer = await guess(owner.email, password)
        assert.equal(answer, await guess(other.email, password))
      }
      const { status } = await logIn(1, owner.email, owner.headers)
      assert.equal(status, 200)
      connection.close()
    })
  })
}
