import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { newDataDir, Product } from './product.ts'

const SECRETS = {
  APP_KEY: 'Zk9PzV1qYc7LwR3tXbN5mGd8HfJs2QaEe1',
  JWT_ACCESS_SECRETS: 'Xx4CvB6nM8kLp0oIu7YtRe5WqAs3DfGh2',
  JWT_REFRESH_SECRETS: 'Qw8ErT5yUi2OpL9kJh6GfDs4AzXcVbNm3',
}

/** An age recipient with one letter changed. */
const MISTYPED = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kdehrqq6qrxnxzj'

const FAULTS: { name: string; settings: Record<string, string> }[] = [
  { name: 'PORT', settings: { PORT: '99999' } },
  { name: 'ACCESS_TOKEN_TTL', settings: { ACCESS_TOKEN_TTL: 'soon' } },
  { name: 'APP_KEY', settings: { APP_KEY: 'short' } },
  { name: 'APP_URL', settings: { APP_URL: 'nowhere' } },
  { name: 'APP_URL', settings: { APP_URL: 'https://auth.example.org/sub' } },
  { name: 'REFRESH_TOKEN_TTL', settings: { REFRESH_TOKEN_TTL: '5m' } },
  { name: 'MAIL_FROM', settings: { MAIL_FROM: 'foo' } },
  { name: 'BACKUP_RECIPIENT', settings: { BACKUP_EVERY: '1h', BACKUP_RECIPIENT: MISTYPED } },
  { name: 'TOKEN_CLAIMS', settings: { TOKEN_CLAIMS: 'role:groups' } },
  { name: 'AUDIT_RETENTION', settings: { AUDIT_RETENTION: '1h' } },
  { name: 'ADMIN_PASSWORD', settings: { ADMIN_EMAIL: 'ada@example.org' } },
  { name: 'TERMS_URL', settings: { TERMS_URL: 'example.org/terms' } },
  { name: 'HOST', settings: { HOST: '999.1.1.1' } },
  { name: 'HOST', settings: { HOST: '203.0.113.99' } },
  {
    name: 'PASSKEY_RP_ID',
    settings: { APP_URL: 'https://auth.example.org', PASSKEY_RP_ID: 'example.com' },
  },
  { name: 'SMTP_PASSWORD_FILE', settings: { SMTP_PASSWORD_FILE: '/nowhere' } },
  { name: 'TRUSTED_PROXIES', settings: { TRUSTED_PROXIES: 'all' } },
  {
    name: 'JWT_REFRESH_SECRETS',
    settings: { ...SECRETS, JWT_REFRESH_SECRETS: SECRETS.JWT_ACCESS_SECRETS },
  },
  {
    name: 'JWT_ACCESS_SECRETS',
    settings: { DB_CONNECTION: 'pg', DATABASE_URL: 'postgres://127.0.0.1:1/x' },
  },
]

test.group('Start | embedded default', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('creates secrets that only their owner may read', async ({ assert }) => {
    product = await Product.start({}, newDataDir())
    const mode = statSync(join(product.dataDir, 'secrets.json')).mode & 0o777
    assert.equal(mode, 0o600)
  })

  test('prints its addresses and a set-up link', async ({ assert }) => {
    product = await Product.start({}, newDataDir())
    await until(() => product.hasLogged('Gatehouse is ready at'))
    const output = product.output.join('')
    assert.include(output, product.publicUrl)
    assert.match(output, /\/admin\/setup\?token=[\w-]{20,}/)
  })

  test('keeps tokens valid over a restart', async ({ assert }) => {
    product = await Product.start()
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.request('/auth/register', { body: user })
    const { body } = await product.request('/auth/login', { body: user })
    await product.stop()
    product = await Product.start({}, product.dataDir)
    const profile = await product.request('/auth/profile', { token: body.accessToken })
    assert.equal(profile.status, 200)
  })

  test('creates the administrator that the environment names', async ({ assert }) => {
    const user = { email: someEmail(), password: PASSWORD }
    const settings = { ADMIN_EMAIL: user.email, ADMIN_PASSWORD: PASSWORD }
    product = await Product.start(settings, newDataDir())
    const { body } = await product.request('/auth/login', { body: user })
    assert.equal(body.user.role, 'Admin')
    assert.notInclude(product.output.join(''), 'setup?token')
  })

  test('reads secrets from files, and rotates none of them itself', async ({ assert }) => {
    const dataDir = newDataDir()
    const fileOf = (name: string, content: string) => {
      writeFileSync(join(dataDir, name), `${content}\n`)
      return join(dataDir, name)
    }
    const user = { email: someEmail(), password: PASSWORD }
    const settings = {
      APP_KEY_FILE: fileOf('app_key', SECRETS.APP_KEY),
      ADMIN_EMAIL: user.email,
      ADMIN_PASSWORD_FILE: fileOf('password', PASSWORD),
    }
    product = await Product.start(settings, dataDir)
    const { body } = await product.request('/auth/login', { body: user })
    assert.equal(body.user.role, 'Admin')
    assert.notProperty(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')), 'APP_KEY')

    const { stdout } = await ace(dataDir, ['secrets:rotate', 'APP_KEY', '--json'], { settings })
    const [rotated] = JSON.parse(stdout)
    assert.equal(rotated.where, settings.APP_KEY_FILE)
    assert.isTrue(rotated.value.endsWith(`,${SECRETS.APP_KEY}`))
  })

  test('names settings that do nothing, in a line each', async ({ assert }) => {
    const settings = { LOCKOUT_TRESHOLD: '3', DATABASE_URL: 'postgres://db/gatehouse' }
    product = await Product.start(settings)
    const output = product.output.join('')
    for (const [name, remedy] of [
      ['LOCKOUT_TRESHOLD', 'LOCKOUT_THRESHOLD'],
      ['DATABASE_URL', 'DB_CONNECTION=pg'],
    ]) {
      const lines = output.split('\n').filter((line) => line.includes(`${name} `))
      assert.lengthOf(lines, 1, output)
      assert.include(lines[0], remedy)
    }
  })

  test('refuses passwords that are guessed first', async ({ assert }) => {
    product = await Product.start({ PASSWORD_BLOCKLIST: 'on', PASSWORD_POLICY: 'length' })
    const register = (password: string) =>
      product.request('/auth/register', {
        body: { email: someEmail(), username: 'ada', password },
      })
    const refused = await register('Password1!')
    assert.equal(refused.status, 400)
    assert.deepInclude(refused.body.errors[0], { field: 'password', rule: 'blocklist' })
    const accepted = await register('a horse that is correct')
    assert.equal(accepted.status, 201)
  })

  test('comes up twice at once on an empty folder', async ({ assert }) => {
    const dataDir = newDataDir()
    product = await Product.spawn({}, dataDir)
    const other = await Product.spawn({}, dataDir)
    try {
      await Promise.all([product.answers(), other.answers()])
      const user = { email: someEmail(), username: 'ada', password: PASSWORD }
      await product.request('/auth/register', { body: user })
      const { body } = await product.request('/auth/login', { body: user })
      const profile = await other.request('/auth/profile', { token: body.accessToken })
      assert.equal(profile.status, 200)
    } finally {
      await other.stop('SIGKILL')
    }
  })
})

test.group('Start | faults', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('names {name} in one line and ends')
    .with(FAULTS)
    .run(async ({ assert }, { name, settings }) => {
      product = await Product.spawn(settings)
      assert.equal(await product.exits(), 1)
      const output = product.output.join('')
      const lines = output.split('\n').filter((line) => line.includes(name))
      assert.lengthOf(lines, 1, output)
      assert.notMatch(output, /\n\s+at /)
      for (const value of Object.values(settings)) {
        if (value.length > 20) assert.notInclude(output, value)
      }
    })

  test('names a port that is in use', async ({ assert }) => {
    const first = await Product.start()
    product = await Product.spawn({ PORT: new URL(first.url).port })
    assert.notEqual(await product.exits(), 0)
    assert.match(product.output.join(''), /EADDRINUSE|in use/)
    await first.remove()
  })

  test('refuses a file that is no database', async ({ assert }) => {
    const dataDir = newDataDir()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'gatehouse.sqlite'), 'not a database at all'.repeat(100))
    product = await Product.spawn({}, dataDir)
    assert.notEqual(await product.exits(), 0)
    assert.match(readFileSync(join(dataDir, 'gatehouse.sqlite'), 'utf8'), /^not a database/)
  })
})

/** Returns the status of `/health`, or 0 after the process has stopped listening. */
async function healthOf(product: Product) {
  const { status } = await product.request('/health').catch(() => ({ status: 0 }))
  return status
}

/** The time for which a product that was told to stop continues to listen. */
const NOTICE_MS = 400

/**
 * Returns the answer of `/health` that follows 200. Returns null if this process, on a busy
 * machine, looked so rarely that it may have missed the notice.
 */
async function lastHealthOf(product: Product) {
  let answeredAt = performance.now()
  for (;;) {
    const lookedAt = performance.now()
    const status = await healthOf(product)
    if (status > 200) return status
    if (status === 0) return performance.now() - answeredAt < NOTICE_MS ? 0 : null
    answeredAt = lookedAt
  }
}

/** Begins a registration that the product has accepted: it has asked for the body, which waits. */
async function acceptedRegistration(product: Product) {
  const body = JSON.stringify({ email: someEmail(), username: 'ada', password: PASSWORD })
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1')
  const head = [
    'POST /auth/register HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  if (!String(answer).startsWith('HTTP/1.1 100')) throw new Error(String(answer))
  const finish = () => {
    socket.write(body)
    return text(socket)
  }
  return { finish }
}

test.group('Stop', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('answers accepted requests and exits 0', async ({ assert }) => {
    product = await Product.start()
    const accepted = await acceptedRegistration(product)
    const stopped = product.stop()
    await until(async () => (await healthOf(product)) !== 200)
    assert.match(await accepted.finish(), /^HTTP\/1\.1 201/)
    assert.equal(await stopped, 0)
  })

  test('tells the balancer before it goes', async ({ assert }) => {
    let told: number | null = null
    while (told === null) {
      await product?.remove()
      product = await Product.start()
      const stopped = product.stop()
      told = await lastHealthOf(product)
      assert.equal(await stopped, 0)
    }
    assert.equal(told, 503)
  })

  test('exits 0 on a second signal too', async ({ assert }) => {
    product = await Product.start()
    const stopped = product.stop()
    product.child.kill('SIGTERM')
    assert.equal(await stopped, 0)
  })
})

test.group('Start | data folder', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('names a folder that cannot be made: {dataDir}')
    .with([{ dataDir: '/proc/gatehouse/data' }, { dataDir: '/etc/passwd/data' }])
    .run(async ({ assert }, { dataDir }) => {
      product = await Product.spawn({}, dataDir)
      assert.equal(await product.exits(), 1)
      assert.match(product.output.join(''), new RegExp(`^- DATA_DIR: ${dataDir} .+\\.$`, 'm'))
    })

  test('is not ready once its folder takes no file', async ({ assert }) => {
    product = await Product.start()
    const readiness = async () => {
      const { status } = await product.request('/health/ready')
      return status
    }
    assert.equal(await readiness(), 200)
    renameSync(product.dataDir, `${product.dataDir}.away`)
    try {
      await until(async () => (await readiness()) === 503)
    } finally {
      renameSync(`${product.dataDir}.away`, product.dataDir)
    }
    await until(async () => (await readiness()) === 200)
  })
})
