import { test } from '@japa/runner'
import pg from 'pg'
import { PASSWORD } from '#tests/support/users'
import { until } from '#tests/support/waiting'
import { Backend, newcomer } from './backend.ts'
import { Product } from './product.ts'

/** Both throttles allow fewer logins than the test sends while the store is late. */
const LIMITED = { LOGIN_IP_LIMIT: '9', LOGIN_THROTTLE_LIMIT: '6' }

const LATE_LOGINS = 7

const LATE: Record<string, (backend: Backend) => Promise<() => Promise<unknown>>> = {
  'Redis is frozen': async ({ redis }) => {
    redis!.signal('SIGSTOP')
    return async () => redis!.signal('SIGCONT')
  },
  'attempts are locked in Postgres': ({ settings }) => lockTable('login_attempts', settings),
  'users are locked in Postgres': ({ settings }) => lockTable('users', settings),
}

async function lockTable(table: string, { DATABASE_URL }: Record<string, string>) {
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  return () => client.query('ROLLBACK').then(() => client.end())
}

test.group('Login | late store', () => {
  test('counts no attempt while {$self}')
    .with(Object.keys(LATE))
    .run(async ({ assert, cleanup }, name) => {
      const isRedis = name.startsWith('Redis')
      const backend = isRedis ? await Backend.withRedis() : await Backend.withPostgres()
      cleanup(() => backend.remove())
      const product = await Product.start({ ...backend.settings, ...LIMITED })
      cleanup(() => product.remove())
      const { email } = await newcomer(product)
      const login = (password: string) =>
        product.request('/auth/login', { body: { email, password } })
      const end = await LATE[name](backend)
      for (let count = 1; count <= LATE_LOGINS; count++) {
        const { status } = await login(PASSWORD)
        assert.equal(status, 503)
      }
      await end()
      // After the store answers, the counts are taken back.
      await until(async () => {
        const { status } = await login(PASSWORD)
        return status === 200
      }, 60_000)
      const wrong = await until(async () => {
        const answer = await login('Wrong-h0rse!')
        return answer.status === 401 ? answer : null
      })
      assert.equal(wrong!.body.attemptsRemaining, 4)
    })
    .timeout(180_000)
})
