import { test } from '@japa/runner'
import { countStatements, type Counted } from '#tests/support/statements'
import { assetPath } from '#pages/assets'
import { createUser, login } from '#tests/support/fixtures'
import { BOUNDS, type Bounds } from './bounds.ts'
import { PATHS, type PathName } from './paths.ts'

/** The first runs make the sessions, leases and connections that later runs find. */
const TIMES = 5

/** Returns the least of several counts: the others include work that is done once a minute. */
async function least(name: PathName) {
  const take = await PATHS[name]()
  const all: Counted[] = []
  for (let time = 1; time <= TIMES; time++) all.push(await countStatements(take))
  return all.reduce((a, b) => (total(b) < total(a) ? b : a))
}

function total({ statements, commands }: Counted) {
  return statements.length + commands.length
}

function boundOf({ sqlite, postgres, redis }: Bounds) {
  if (process.env.STORE === 'redis') return redis
  return [process.env.DB_CONNECTION === 'pg' ? postgres : sqlite, 0]
}

function listOf({ statements, commands }: Counted) {
  return [...statements, ...commands].map((text, index) => `${index + 1}. ${text}`).join('\n')
}

test.group('Statements', () => {
  test('{$self} sends no more than before')
    .with(Object.keys(PATHS) as PathName[])
    .run(async ({ assert }, name) => {
      const counted = await least(name)
      const { requests, statements, commands } = counted
      const [mostStatements, mostCommands] = boundOf(BOUNDS[name])
      const sent = `${requests} requests, ${statements.length} statements, ${commands.length} commands`
      const message = `${name}: ${sent}\n${listOf(counted)}\n`
      assert.isAbove(total(counted), 0)
      assert.isAtMost(requests, BOUNDS[name].requests, message)
      assert.isAtMost(statements.length, mostStatements, message)
      assert.isAtMost(commands.length, mostCommands, message)
    })

  test('other requests at the same time count nowhere', async ({ assert, client }) => {
    const users = await Promise.all(Array.from({ length: 4 }, () => createUser()))
    const counted = await countStatements(async (headers) => {
      const logins = users.map(({ email }) => login(client, { email }))
      const asked = client.get(assetPath('mark.svg')).headers(headers)
      await Promise.all([...logins, asked])
    })
    assert.deepEqual(counted, { requests: 1, statements: [], commands: [] })
  })
})
