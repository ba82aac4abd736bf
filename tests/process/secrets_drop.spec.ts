import { join } from 'node:path'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { drivers } from '@adonisjs/core/encryption'
import Sqlite from 'better-sqlite3'
import { generate } from 'otplib'
import { v7 as uuidv7 } from 'uuid'
import { secretPurpose } from '#auth/mfa/totp'
import { mailFilesOf } from '#tests/support/mail'
import { until } from '#tests/support/waiting'
import { enrolled, tokenOf } from '../functional/matrix/stored_credentials.ts'
import { STORED_SETTINGS } from '../functional/matrix/stored_kinds.ts'
import { register } from '../functional/matrix/stored_users.ts'
import { spawnAce } from './ace.ts'
import { Installation } from './installation.ts'

const DROP = ['--drop-old', '--yes']

/** Mails stay in the queue, because nothing listens on this port. */
const UNSENT = { MAIL_MAILER: 'smtp', SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' }

test.group('Secrets | dropping old entries', (group) => {
  let installation: Installation
  group.each.setup(async () => {
    const settings = { ...STORED_SETTINGS, ACCESS_TOKEN_ALGORITHM: 'ES256', ...UNSENT }
    installation = await Installation.start(null, settings)
    return () => installation.remove()
  })
  group.tap((each) => each.timeout(300_000))

  function inDatabase<Result>(use: (database: Sqlite.Database) => Result) {
    const file = join(installation.dataDir, 'gatehouse.sqlite')
    const database = new Sqlite(file, { timeout: 10_000 })
    try {
      return use(database)
    } finally {
      database.close()
    }
  }

  /** Returns every encrypted value of every table, by its column. */
  function encryptedValues() {
    return inDatabase((database) => {
      const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()
      const found = new Map<string, string>()
      for (const { name } of tables as { name: string }[]) {
        for (const row of database.prepare(`SELECT * FROM "${name}"`).all() as object[]) {
          const cells = Object.entries(row).filter(([, value]) => isEncrypted(value))
          for (const [column, value] of cells) found.set(value, `${name}.${column}`)
        }
      }
      return found
    })
  }

  const isEncrypted = (value: unknown) => /^(?:app|mfa)(?:\.[^.]+){3}$/.test(String(value))

  /** Makes a secret that waits for its first code. */
  async function pendingSecret() {
    const user = await register(installation)
    const token = await tokenOf(installation, user)
    const answer = await installation.product.ask('/auth/mfa/setup', { body: {}, token })
    return { user, token, secret: answer.body.secret as string }
  }

  async function deviceCode() {
    const given = { name: 'TV', redirectUris: ['https://tv.example.org/'] }
    const grantTypes = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
    const method = { tokenEndpointAuthMethod: 'none' }
    const body = { ...given, ...method, grantTypes }
    const { clientId } = await installation.asAdmin('/oauth-clients', { body })
    const form = new URLSearchParams({ client_id: clientId, scope: 'openid' })
    const url = `${installation.product.url}/oauth/device/authorization`
    return fetch(url, { method: 'POST', body: form })
  }

  async function rotate() {
    await installation.rotateSecrets()
    await installation.restart()
    const result = await installation.succeed(['secrets:rotate', ...DROP])
    await installation.restart()
    return result
  }

  test('leaves no value that needs one of them', async ({ assert }) => {
    await enrolled(installation)
    const { user, token, secret } = await pendingSecret()
    await deviceCode()
    const before = encryptedValues()
    assert.sameMembers(
      [...new Set(before.values())],
      [
        'users.mfa_secret',
        'mfa_enrolments.secret',
        'signing_keys.private_key',
        'mails.payload',
        'oauth_records.payload',
      ]
    )
    await rotate()
    const after = encryptedValues()
    assert.isEmpty([...before].filter(([value]) => after.has(value)))
    const body = { code: await generate({ secret }) }
    const again = await tokenOf(installation, user)
    assert.notEqual(again, token)
    const enabled = await installation.product.ask('/auth/mfa/enable', { body, token: again })
    assert.equal(enabled.status, 200)
    await installation.restart({ MAIL_MAILER: 'outbox' })
    await installation.run(['mail:retry', '--all'])
    const outbox = join(installation.dataDir, 'outbox')
    await until(async () => {
      const [mail] = await mailFilesOf(user.email, outbox)
      return mail
    })
  })

  test('says what it encrypted again and why an entry stays', async ({ assert }) => {
    const { user } = await enrolled(installation)
    const { stderr } = await rotate()
    assert.include(stderr, 'Encrypted again: 1 one-time secrets.')
    assert.include(stderr, 'MFA_ENCRYPTION_KEYS keeps an older entry for 10 unused backup codes.')
    assert.include(stderr, 'APP_KEY keeps an older entry for the audit log.')
    await installation.succeed(['user:reset-mfa', user.email, '--yes'])
    const keyrings = await installation.rotateSecrets(...DROP)
    const entries = keyrings.find(({ name }) => name === 'MFA_ENCRYPTION_KEYS')?.entries
    assert.equal(entries, 1)
  })

  test('doctor counts what no entry decrypts', async ({ assert }) => {
    await enrolled(installation)
    const settings = { MFA_ENCRYPTION_KEYS: 'another-entry-k9PzV1qYc7LwR3tXbN5mGd8HfJs2Qa' }
    const { code, stdout } = await installation.run(['doctor'], { settings })
    assert.equal(code, 1)
    assert.match(stdout, /✖ second factors +no key for 1 one-time secrets, 10 backup codes/)
    const dropped = await installation.run(['secrets:rotate', ...DROP], { settings })
    assert.include(dropped.stderr, 'No entry of MFA_ENCRYPTION_KEYS decrypts 1 one-time secrets')
  })

  test('goes on where it was killed', async ({ assert }) => {
    const [older, newer] = ['older-entry-', 'newer-entry-'].map(
      (start) => `${start}k9PzV1qYc7LwR3tXbN5mGd8HfJs2QaEe`
    )
    const cipher = async (key: string) => {
      const { driver } = await drivers.aes256gcm({ id: 'mfa', keys: [] }).resolver(app)
      return driver(key)
    }
    const [before, after] = [await cipher(older), await cipher(newer)]
    inDatabase((database) =>
      insertUsers(database, (id, purpose) => before.encrypt(id, { purpose }))
    )
    const settings = { MFA_ENCRYPTION_KEYS: `${newer},${older}` }
    const args = ['secrets:rotate', 'MFA_ENCRYPTION_KEYS', ...DROP]
    const isOfNewer = ({ id, secret }: Stored) => after.decrypt(secret, secretPurpose(id)) === id
    const changed = () => inDatabase(storedSecrets).filter(isOfNewer).length
    const killed = spawnAce(installation.dataDir, args, { ...installation.settings, ...settings })
    await until(() => changed() > 0)
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('close', resolve))
    const reached = changed()
    assert.isBelow(reached, USERS)
    const { stderr } = await installation.succeed(args, { settings })
    assert.include(stderr, `Encrypted again: ${USERS - reached} one-time secrets.`)
    assert.equal(changed(), USERS)
  })
})

const USERS = 5_000

interface Stored {
  id: string
  secret: string
}

function insertUsers(
  database: Sqlite.Database,
  encrypt: (value: string, purpose: string) => string
) {
  const insert = database.prepare(
    `INSERT INTO users
       (id, email, username, mfa_enabled, mfa_secret, password_changed_at, created_at, updated_at)
     VALUES (?, ?, 'Ada', true, ?, 1, 1, 1)`
  )
  database.transaction(() => {
    for (let count = 0; count < USERS; count++) {
      const id = uuidv7()
      insert.run(id, `${id}@example.org`, encrypt(id, secretPurpose(id)))
    }
  })()
}

function storedSecrets(database: Sqlite.Database) {
  const sql = 'SELECT id, mfa_secret AS secret FROM users WHERE mfa_secret IS NOT NULL'
  return database.prepare(sql).all() as Stored[]
}
