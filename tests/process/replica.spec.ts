import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { ADMIN, WITH_ADMIN } from './application.ts'
import { Backend, newcomer, signIn } from './backend.ts'
import { Product } from './product.ts'
import type { Postgres } from '#tests/servers/postgres'

/** Makes the server unavailable, and resolves with a function that restores it. */
const LOSSES = [
  {
    name: 'crashed',
    lose: async (standby: Postgres) => {
      await standby.stop('SIGQUIT')
      return () => standby.resume()
    },
  },
  { name: 'frozen', lose: (standby: Postgres) => standby.freeze() },
]

const LISTS = ['/users?limit=100', '/users?search=ada', '/audit-events']

test.group('Postgres | replica that goes away', (group) => {
  let backend: Backend
  let standby: Postgres
  let product: Product
  let token: string
  let latest: string

  /** The replica lacks one user, so that a list shows where it was read. */
  group.setup(async () => {
    backend = await Backend.withPostgres()
    standby = await backend.postgres.startStandby()
    const { host } = new URL(standby.url('gatehouse'))
    const address = `${backend.postgres.url('gatehouse')}?replica=${host}`
    const replica = { DATABASE_URL: address, LOG_LEVEL: 'info' }
    product = await Product.start({ ...backend.settings, ...WITH_ADMIN, ...replica })
    const admin = await signIn(product, ADMIN)
    token = admin.token
    await standby.fallBehind(backend.postgres)
    const user = await newcomer(product)
    latest = user.email
  })
  group.teardown(async () => {
    await product.remove()
    await standby.remove()
    await backend.remove()
  })

  async function isReadFromReplica() {
    const { body } = await product.request('/users?limit=100', { token })
    return body.data.every(({ email }: { email: string }) => email !== latest)
  }

  async function askLists() {
    const answers = await Promise.all(LISTS.map((path) => product.request(path, { token })))
    return answers.map(({ status }) => status)
  }

  function countLines(text: string) {
    return product.output.join('').split(text).length - 1
  }

  test('lists come from the primary while it is {name}')
    .with(LOSSES)
    .run(async ({ assert }, { lose }) => {
      const before = countLines('the replica does not answer')
      assert.isTrue(await isReadFromReplica())
      const inFlight = askLists()
      const giveBack = await lose(standby)
      try {
        const statuses = await inFlight
        for (let round = 1; round <= 3; round++) statuses.push(...(await askLists()))
        assert.deepEqual([...new Set(statuses)], [200])
        assert.isFalse(await isReadFromReplica())
        assert.equal(countLines('the replica does not answer'), before + 1)
      } finally {
        await giveBack()
      }
      await until(isReadFromReplica)
    })
})
