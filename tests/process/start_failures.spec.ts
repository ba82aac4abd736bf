import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Postgres, unprivileged } from '#tests/servers/postgres'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { sharedSettings } from './backend.ts'
import { newDataDir, Product, root } from './product.ts'

type Settings = Record<string, string>

/** A start that fails: how it is set up, and what its error message names. */
interface Failure {
  name: string
  settings: (postgres: Postgres) => Settings
  says: RegExp
}

const at = (postgres: Postgres, path: string, user = 'gatehouse') => ({
  DATABASE_URL: `postgres://${user}@127.0.0.1:${postgres.port}/${path}`,
})

const FAILURES: Failure[] = [
  {
    name: 'a wrong password of Postgres',
    settings: (postgres) => at(postgres, 'empty', 'guarded:wrong'),
    says: /refuses the user or the password.+DATABASE_URL/,
  },
  {
    name: 'an absent database',
    settings: (postgres) => at(postgres, 'absent'),
    says: /no database of this name.+DATABASE_URL/,
  },
  {
    name: 'a missing right',
    settings: (postgres) => at(postgres, 'empty', 'weak'),
    says: /refuses this user a right.+owner of the database/,
  },
  {
    name: 'TLS with a server that has none',
    settings: (postgres) => at(postgres, 'empty?sslmode=require'),
    says: /Postgres has no TLS.+sslmode/,
  },
  {
    name: 'a missing file of certificates',
    settings: (postgres) => at(postgres, 'empty?sslrootcert=/nowhere.pem'),
    says: /DATABASE_URL names a file that cannot be read: sslrootcert=\/nowhere.pem/,
  },
  {
    name: 'a database that takes no writes',
    settings: (postgres) => at(postgres, 'frozen'),
    says: /takes no writes.+primary/,
  },
  {
    name: 'a plain % in the password of Redis',
    settings: (postgres) => ({
      ...at(postgres, 'empty'),
      STORE: 'redis',
      REDIS_URL: 'redis://:50%off@127.0.0.1',
    }),
    says: /REDIS_URL must have its credentials percent-encoded.+%25/,
  },
  {
    name: 'an empty database that it may not migrate',
    settings: (postgres) => ({ ...at(postgres, 'empty'), AUTO_MIGRATE: 'false' }),
    says: /tables of this version are missing.+migration:run/,
  },
  {
    name: 'a server that is down',
    settings: () => ({ DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/x' }),
    says: /does not answer \(ECONNREFUSED 127.0.0.1:1\).+DATABASE_URL/,
  },
]

async function startPostgres() {
  const postgres = await Postgres.start()
  const hba = join(postgres.folder, 'data', 'pg_hba.conf')
  writeFileSync(hba, 'host all guarded all scram-sha-256\nhost all all all trust\n')
  await postgres.query(`CREATE ROLE guarded LOGIN PASSWORD 'right'`)
  await postgres.query('CREATE ROLE weak LOGIN')
  await postgres.createDatabase('empty')
  await postgres.createDatabase('frozen')
  await postgres.query('ALTER DATABASE frozen SET default_transaction_read_only = on')
  await postgres.query('SELECT pg_reload_conf()')
  return postgres
}

/** Asserts one sentence, or a heading with one line, without library text, statements or logs. */
function assertSentence(assert: any, output: string, says: RegExp) {
  assert.match(output.replaceAll('\n', ' '), says)
  assert.isAtMost(output.trim().split('\n').length, 2, output)
  assert.notMatch(output, /\bat .+:\d+|create table|select |^\{|Error:|node_modules/im)
}

test.group('Start | that cannot do its work', (group) => {
  let postgres: Postgres
  let product: Product
  group.setup(async () => {
    postgres = await startPostgres()
  })
  group.each.teardown(() => product?.remove())
  group.teardown(() => postgres.remove())

  test('ends with a sentence: {name}')
    .with(FAILURES)
    .run(async ({ assert }, { settings, says }) => {
      const shared = sharedSettings(postgres.url('empty'))
      product = await Product.spawn({ ...shared, ...settings(postgres) })
      assert.equal(await product.exits(), 1)
      assertSentence(assert, product.output.join(''), says)
    })

  test('ends with a sentence: {name}')
    .with([
      {
        name: 'damaged secrets',
        file: 'secrets.json',
        settings: {},
        says: /secrets.json is damaged/,
      },
      {
        name: 'an empty file that it may not migrate',
        file: null,
        settings: { AUTO_MIGRATE: 'false' },
        says: /tables of this version are missing.+migration:run/,
      },
      {
        name: 'a file that is no database',
        file: 'gatehouse.sqlite',
        settings: {},
        says: /gatehouse.sqlite is damaged or no database/,
      },
    ])
    .run(async ({ assert }, { file, settings, says }) => {
      const dataDir = newDataDir()
      if (file) writeFileSync(join(dataDir, file), 'neither JSON nor SQLite '.repeat(99))
      product = await Product.spawn(settings as Settings, dataDir)
      assert.equal(await product.exits(), 1)
      assertSentence(assert, product.output.join(''), says)
    })

  test('a command tells the same', async ({ assert }) => {
    const settings = { ...sharedSettings(postgres.url('empty')), ...FAILURES[0].settings(postgres) }
    const { code, stderr } = await ace(newDataDir(), ['user:list'], { settings })
    assert.equal(code, 1)
    assertSentence(assert, stderr, FAILURES[0].says)
  })
})

const OPENED = '/opt'

/** Returns the program of a user who does not own the files, and opens a private clone to it. */
function asAnotherUser() {
  const { uid, gid } = unprivileged()
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  const [command, ...args] = [...user, 'test', '-r', join(root, 'package.json')]
  if (spawnSync(command, args).status === 0)
    return { program: [...user, process.execPath], folder: root }
  const open = `mount --bind "$0" ${OPENED} && exec "$@"`
  const opened = ['unshare', '--mount', 'sh', '-c', open, root, ...user]
  return { program: [...opened, process.execPath.replace(root, OPENED)], folder: OPENED }
}

test.group('Start | on files of another user', (group) => {
  let product: Product
  group.each.teardown(() => product?.remove())

  test('names owner, user and remedy', async ({ assert }) => {
    product = await Product.start()
    await product.stop()
    const { dataDir } = product
    const { uid, gid } = unprivileged()
    for (const file of ['', 'secrets.json']) chownSync(join(dataDir, file), uid!, gid!)
    chmodSync(join(dataDir, 'gatehouse.sqlite'), 0o444)
    product = await Product.spawn({}, dataDir, asAnotherUser())
    assert.equal(await product.exits(), 1)
    const owner = `gatehouse.sqlite belongs to 0:0 \\(mode 0444\\)`
    const remedy = `runs as ${uid}:${gid}. Run as root: chown -R ${uid}:${gid} ${dataDir}`
    assertSentence(assert, product.output.join(''), new RegExp(`${owner}.+${remedy}`))
  }).skip(process.getuid?.() !== 0, 'only root makes files of another user')

  test('is not ready once a file cannot be written', async ({ assert }) => {
    const dataDir = newDataDir()
    const { uid, gid } = unprivileged()
    mkdirSync(dataDir, { recursive: true })
    chownSync(dataDir, uid!, gid!)
    product = await Product.spawn({}, dataDir, asAnotherUser())
    await product.answers('/health/ready')
    chownSync(join(dataDir, 'gatehouse.sqlite-wal'), 0, 0)
    await until(async () => {
      const { status } = await product.request('/health/ready')
      return status === 503
    })
    assert.isFalse(product.hasEnded)
  }).skip(process.getuid?.() !== 0, 'only root makes files of another user')
})
