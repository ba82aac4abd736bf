import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { ace, spawnAce } from './ace.ts'
import { Backend } from './backend.ts'
import { CommandProcess } from './command_process.ts'
import { newDataDir, Product } from './product.ts'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { until } from '#tests/support/waiting'

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
)

const COMMANDS = [
  'user:create',
  'user:list',
  'user:show',
  'user:update',
  'user:delete',
  'user:unlock',
  'user:lock',
  'user:disable',
  'user:enable',
  'user:password',
  'user:reset-mfa',
  'session:list',
  'session:revoke',
  'key:create',
  'key:list',
  'key:revoke',
  'token:inspect',
  'token:revoke',
  'webhook:create',
  'webhook:list',
  'webhook:show',
  'webhook:test',
  'webhook:replay',
  'webhook:delete',
  'audit:list',
  'audit:verify',
  'mail:list',
  'mail:retry',
  'mail:show',
  'keys:list',
  'keys:rotate',
  'keys:revoke',
  'store:prune',
  'openapi:export',
]

/** The backends of the product; null is SQLite in its own folder. */
const BACKENDS: Record<string, () => Promise<Backend | null>> = {
  'SQLite': () => Promise.resolve(null),
  'Postgres and Redis': () => Backend.withRedis(),
}

/** The commands that have already run in a process of their own. */
const started = new Set<string>()

/**
 * Defines a group for each backend, with a server and a way to run commands beside it. On SQLite,
 * the first run of each command proves how its process begins and ends; other runs share one.
 */
function onEveryBackend(title: string, define: (beside: Beside) => void) {
  for (const [name, start] of Object.entries(BACKENDS)) {
    test.group(`${title} | ${name}`, (group) => {
      const beside = {} as Beside
      group.setup(async () => {
        const backend = await start()
        const settings = { LOGIN_THROTTLE_LIMIT: '0', REGISTER_IP_LIMIT: '0', ...backend?.settings }
        const product = await Product.start(settings)
        const commands = new CommandProcess(product.dataDir, settings)
        const run: Beside['run'] = (args, { stdin } = {}) => {
          if (backend || started.has(args[0])) return commands.run(args, stdin)
          started.add(args[0])
          return ace(product.dataDir, args, { stdin, settings })
        }
        Object.assign(beside, { product, run, settings })
        return async () => {
          await commands.stop()
          await product.remove()
          await backend?.remove()
        }
      })
      define(beside)
    })
  }
}

interface Beside {
  product: Product
  settings: Record<string, string>
  run(args: string[], options?: { stdin?: string }): ReturnType<typeof ace>
}

test.group('Commands | without a server', (group) => {
  const folder = newDataDir()
  let commands: CommandProcess
  group.setup(() => {
    commands = new CommandProcess(folder)
  })
  group.teardown(async () => {
    await commands.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('{command} teaches with examples in 80 columns')
    .with(COMMANDS.map((command) => ({ command })))
    .run(async ({ assert }, { command }) => {
      const { code, stdout } = await commands.run([command, '--help'])
      assert.equal(code, 0)
      assert.include(stdout, 'Examples:')
      assert.include(stdout, '--json')
      assert.isTrue(
        stdout.split('\n').every((line) => [...line].length <= 80),
        stdout
      )
    })

  test('print the version and nothing else', async ({ assert }) => {
    const { code, stdout } = await ace(folder, ['--version'])
    assert.equal(code, 0)
    assert.equal(stdout, `Gatehouse ${VERSION}\n`)
  })

  test('answer {args} with one line')
    .with([
      {
        args: ['user:creat'],
        says: 'Command "user:creat" is not defined. Did you mean user:create?',
      },
      { args: ['user'], says: 'Command "user" is not defined. See list user.' },
      { args: ['nonsense'], says: 'Command "nonsense" is not defined. See list.' },
      { args: ['list', 'nope'], says: 'No command begins with nope. See --help.' },
    ])
    .run(async ({ assert }, { args, says }) => {
      const { code, stdout, stderr } = await ace(folder, args)
      assert.deepEqual([code, stdout, stderr], [2, '', `${says}\n`])
    })

  test('verify the first administrator {option}')
    .with([
      { option: 'from standard input', flags: [] },
      { option: 'with a generated password', flags: ['--generate'] },
    ])
    .run(async ({ assert, cleanup }, { flags }) => {
      const dataDir = newDataDir()
      cleanup(() => rmSync(dataDir, { recursive: true, force: true }))
      const create = ['user:create', someEmail(), '--role=Admin', '--json', ...flags]
      const created = await ace(dataDir, create, { stdin: PASSWORD })
      assert.isTrue(created.json().emailVerified, created.stderr)
    })

  test('exit with 5 when the database does not answer', async ({ assert }) => {
    const secret = (message: string) => `${message}k9PzV1qYc7LwR3tXbN5mGd8HfJs2QaEe`
    const settings = {
      DB_CONNECTION: 'pg',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      APP_KEY: secret('a'),
      JWT_ACCESS_SECRETS: secret('b'),
      JWT_REFRESH_SECRETS: secret('c'),
      MFA_ENCRYPTION_KEYS: secret('d'),
    }
    const dataDir = newDataDir()
    const { code, stderr } = await ace(dataDir, ['user:list'], { settings })
    assert.equal(code, 5, stderr)
    rmSync(dataDir, { recursive: true, force: true })
  })
})

onEveryBackend('Commands', (beside) => {
  const run: Beside['run'] = (args, options) => beside.run(args, options)

  async function user() {
    const credentials = { email: someEmail(), username: 'ada', password: PASSWORD }
    await beside.product.ask('/auth/register', { body: credentials })
    return credentials
  }

  test('create an administrator with a password from standard input', async ({ assert }) => {
    const email = someEmail()
    const created = await run(['user:create', email, '--role=Admin', '--json'], {
      stdin: `${PASSWORD}\n`,
    })
    assert.equal(created.code, 0, created.stderr)
    assert.containsSubset(created.json(), { email, role: 'Admin' })
    assert.notInclude(created.stdout, PASSWORD)
    const login = await beside.product.ask('/auth/login', {
      body: { email, password: PASSWORD },
    })
    assert.equal(login.status, 200)
  })

  test('lock, unlock, disable and enable beside a running server', async ({ assert }) => {
    const { email, password } = await user()
    const status = async () => {
      const login = await beside.product.ask('/auth/login', { body: { email, password } })
      return login.body.code ?? login.status
    }
    for (const [command, expected] of [
      ['user:lock', 'E_ACCOUNT_LOCKED'],
      ['user:unlock', 200],
      ['user:disable', 'E_ACCOUNT_DISABLED'],
      ['user:enable', 200],
    ] as const) {
      const { code, stderr } = await run([command, email])
      assert.equal(code, 0, stderr)
      assert.equal(await status(), expected)
    }
  })

  test('refuse a lock beyond all calendars', async ({ assert }) => {
    const { email } = await user()
    const { code, stderr } = await run(['user:lock', email, '--for=9999999d'])
    assert.equal(code, 2)
    assert.include(stderr, '--for must end before the year 10000')
  })

  test('give a password that must be changed', async ({ assert }) => {
    const { email } = await user()
    const { json } = await run(['user:password', email, '--json'])
    const { password } = json()
    assert.match(password, /^[A-Za-z0-9!@#$%^&*]{16}$/)
    const login = await beside.product.ask('/auth/login', { body: { email, password } })
    assert.equal(login.body.code, 'E_PASSWORD_CHANGE_REQUIRED')
  })

  test('give a password from standard input {option}')
    .with([
      { option: 'to be changed', flags: [], code: 'E_PASSWORD_CHANGE_REQUIRED' },
      { option: 'for good', flags: ['--permanent'], code: undefined },
    ])
    .run(async ({ assert }, { flags, code }) => {
      const { email } = await user()
      const password = 'Another-h0rse!'
      await run(['user:password', email, '--stdin', ...flags], { stdin: password })
      const login = await beside.product.ask('/auth/login', { body: { email, password } })
      assert.equal(login.body.code, code)
    })

  test('create a user with a password {option}')
    .with([
      { option: 'to be changed', flags: [], code: 'E_PASSWORD_CHANGE_REQUIRED' },
      { option: 'for good', flags: ['--permanent'], code: undefined },
    ])
    .run(async ({ assert }, { flags, code }) => {
      const email = someEmail()
      await run(['user:create', email, ...flags], { stdin: PASSWORD })
      const login = await beside.product.ask('/auth/login', {
        body: { email, password: PASSWORD },
      })
      assert.equal(login.body.code, code)
    })

  test('create a user whose address counts as verified', async ({ assert }) => {
    const create = ['user:create', someEmail(), '--generate', '--json']
    const [vouched, other] = [
      await run([...create, '--verified']),
      await run(create.with(1, someEmail())),
    ]
    assert.isTrue(vouched.json().emailVerified, vouched.stderr)
    assert.isFalse(other.json().emailVerified)
    const service = await run(['user:create', '--service', '--username=robot', '--verified'])
    assert.equal(service.code, 2)
  })

  test('end sessions that the server then refuses', async ({ assert }) => {
    const { email, password } = await user()
    const { body } = await beside.product.ask('/auth/login', { body: { email, password } })
    const listing = await run(['session:list', `--user=${email}`, '--json'])
    assert.lengthOf(listing.json(), 1)
    const { code } = await run(['session:revoke', listing.json()[0].id])
    assert.equal(code, 0)
    const profile = await beside.product.ask('/auth/profile', { token: body.accessToken })
    assert.equal(profile.status, 401)
    const inspected = await run(['token:inspect', '--json'], { stdin: body.accessToken })
    assert.containsSubset(inspected.json(), { accepted: false, kind: 'access' })
    assert.include(inspected.json().reason, 'session')
  })

  test('make an API key, list it and revoke it', async ({ assert }) => {
    const { email } = await user()
    const flags = ['--name=Report', '--scopes=profile:read,sessions:read', '--json']
    const made = await run(['key:create', email, ...flags])
    assert.equal(made.code, 0, made.stderr)
    const { id, key: token } = made.json()
    const status = async () => {
      const profile = await beside.product.ask('/auth/profile', { token })
      return profile.status
    }
    assert.equal(await status(), 200)
    const listing = await run(['key:list', email, '--json'])
    assert.containsSubset(listing.json(), [{ id, owner: email, name: 'Report' }])
    assert.notInclude(listing.stdout, token)
    const { code } = await run(['key:revoke', id, '--yes'])
    assert.equal(code, 0)
    assert.equal(await status(), 401)
    const again = await run(['key:revoke', id, '--yes'])
    assert.equal(again.code, 3)
  })

  test('refuse an API key {what} with exit code {code}')
    .with([
      { what: 'with an unknown scope', scopes: 'everything', code: 2 },
      { what: 'beyond the role', scopes: 'users:read', code: 4 },
    ])
    .run(async ({ assert }, { scopes, code }) => {
      const { email } = await user()
      const refused = await run(['key:create', email, '--name=Report', `--scopes=${scopes}`])
      assert.equal(refused.code, code, refused.stderr)
    })

  test('revoke a token from standard input', async ({ assert }) => {
    const { email, password } = await user()
    const { body } = await beside.product.ask('/auth/login', { body: { email, password } })
    const good = await run(['token:inspect', '--json'], { stdin: body.accessToken })
    assert.isTrue(good.json().accepted)
    const { code } = await run(['token:revoke'], { stdin: body.accessToken })
    assert.equal(code, 0)
    const profile = await beside.product.ask('/auth/profile', { token: body.accessToken })
    assert.equal(profile.status, 401)
  })

  test('audit each change under the name of the operator', async ({ assert }) => {
    const { email } = await user()
    await run(['user:lock', email])
    const { json } = await run([
      'audit:list',
      `--user=${email}`,
      '--action=account.locked',
      '--json',
    ])
    assert.match(json()[0].actor, /^cli:\w+/)
    const verdict = await run(['audit:verify', '--json'])
    assert.equal(verdict.code, 0)
    assert.isTrue(verdict.json().isWhole)
  })

  test('say that nothing was locked', async ({ assert }) => {
    const { email } = await user()
    const { code, stderr } = await run(['user:unlock', email])
    assert.equal(code, 0)
    assert.include(stderr, 'was not locked')
  })

  test('list names of service accounts and deleted users', async ({ assert }) => {
    const { email } = await user()
    await run(['user:lock', email])
    await run(['user:delete', email, '--yes'])
    const { stdout } = await run(['audit:list', '--action=account.locked'])
    assert.include(stdout, 'Deleted account')
    assert.notMatch(stdout, /[\da-f]{8}-[\da-f]{4}/)
  })

  test('go on after one of several that fails', async ({ assert }) => {
    const { email } = await user()
    const { code, stdout, stderr } = await run(['user:unlock', someEmail(), email, '--json'])
    assert.equal(code, 3)
    assert.equal(JSON.parse(stdout)[0].email, email)
    assert.include(stderr, 'No account is named')
  })

  test('fit their tables into 80 columns', async ({ assert }) => {
    await run(['user:create', `${'long'.repeat(14)}@example.org`, '--generate'])
    for (const command of ['user:list', 'session:list', 'audit:list', 'mail:list']) {
      const { stdout } = await run([command])
      assert.isTrue(
        stdout.split('\n').every((line) => [...line].length <= 80),
        stdout
      )
    }
  })

  test('exit with {code} for {args}')
    .with([
      { args: ['no:such'], code: 2 },
      { args: ['user:list', '--nonsense'], code: 2 },
      { args: ['user:list', '--status=asleep'], code: 2 },
      { args: ['user:list', '--limit=101'], code: 2 },
      { args: ['audit:list', '--limit=101'], code: 2 },
      { args: ['user:show'], code: 2 },
      { args: ['user:delete', 'ada@example.org'], code: 2 },
      { args: ['user:reset-mfa', 'ada@example.org'], code: 2 },
      { args: ['key:revoke', '4fJ0aZr7QwT1xY9c'], code: 2 },
      { args: ['keys:revoke', 'unknown'], code: 2 },
      { args: ['user:show', 'nobody@example.org'], code: 3 },
      { args: ['user:update', 'nobody@example.org', '--role=Admin'], code: 3 },
    ])
    .run(async ({ assert }, { args, code }) => {
      const result = await run(args)
      assert.equal(result.code, code, result.stderr)
      assert.equal(result.stdout, '')
      assert.notEqual(result.stderr, '')
    })

  test('say what {args} misses')
    .with([
      {
        args: ['audit:list', '--action=login.fail'],
        says: '--action: no event is called login.fail. Known are login.succeeded, ',
      },
      {
        args: ['audit:list', '--action=nope'],
        says: '--action: no event is called nope. docs/audit.md lists them',
      },
      { args: ['audit:list', '--ip=zzz'], says: '--ip: zzz is no IP address' },
      { args: ['user:create', 'a@b.org', '--generate', '--invite'], says: 'leave out --generate' },
      { args: ['user:create', 'a@b.org', '--email=c@b.org'], says: 'Name the e-mail once' },
      { args: ['user:create', 'a@b.org', '--handle=A B'], says: '--handle must have a-z, 0-9' },
      { args: ['webhook:create', 'https://a.example'], says: '--events must be defined' },
      {
        args: ['client:create', '--name=A', '--scopes=x'],
        says: '--scopes, value 1, must be one of openid',
      },
      {
        args: ['session:revoke', '--all', '--user=a@b.org', '--yes'],
        says: '--all ends the sessions of every account: name nothing beside it',
      },
      { args: ['mail:retry', '--all', '0198'], says: 'Name mails by id, or --all' },
      { args: ['user:show', ''], says: 'Name each account' },
      { args: ['token:inspect', 'eyJabc'], says: 'read from standard input only' },
      { args: ['settings:set', 'NOPE', 'x'], says: 'NOPE is no setting: see settings:list' },
      { args: ['settings:set', 'APP_KEY', 'x'], says: 'The APP_KEY setting is read at start' },
    ])
    .run(async ({ assert }, { args, says }) => {
      const { code, stdout, stderr } = await run(args)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, /^[^\n]+\n$/)
      assert.include(stderr, says)
    })

  test('refuse a taken e-mail with 4', async ({ assert }) => {
    const { email } = await user()
    const { code } = await run(['user:create', email, '--generate'])
    assert.equal(code, 4)
  })

  test('describe the API without a server', async ({ assert }) => {
    const { code, json } = await run(['openapi:export'])
    assert.equal(code, 0)
    assert.property(json().paths, '/auth/login')
  })

  test('refuse an argument that they do not take', async ({ assert }) => {
    const { code, stderr } = await run(['audit:list', 'ada@example.org'])
    assert.equal(code, 2)
    assert.include(stderr, 'ada@example.org')
  })

  test('list the sessions of the named user', async ({ assert }) => {
    const [mine, other] = [await user(), await user()]
    for (const { email, password } of [mine, other]) {
      await beside.product.ask('/auth/login', { body: { email, password } })
    }
    const { json } = await run(['session:list', mine.email, '--json'])
    const { json: shown } = await run(['user:show', mine.email, '--json'])
    assert.deepEqual(
      json().map((session: { userId: string }) => session.userId),
      [shown().id]
    )
  })

  test('print no JSON where there is nothing to show', async ({ assert }) => {
    const { code, stdout } = await run(['user:show', someEmail(), '--json'])
    assert.deepEqual({ code, stdout }, { code: 3, stdout: '' })
  })
})

onEveryBackend('Commands | import and export', (beside) => {
  const run: Beside['run'] = (args, options) => beside.run(args, options)
  const BCRYPT = '$2b$10$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e'

  test('import {format} with a hash that signs in and is replaced')
    .with([{ format: 'csv' }, { format: 'json' }, { format: 'ndjson' }] as const)
    .run(async ({ assert }, { format }) => {
      const email = someEmail()
      const row = { email, username: 'Ada', passwordHash: BCRYPT, emailVerified: true }
      const stdin = {
        csv: `email,username,passwordHash,emailVerified\n${email},Ada,${BCRYPT},true\n`,
        json: JSON.stringify([row]),
        ndjson: `${JSON.stringify(row)}\n`,
      }[format]
      const args = ['user:import', '-', `--format=${format}`, '--json']
      const dry = await run([...args, '--dry-run'], { stdin })
      assert.containsSubset(dry.json(), { imported: 1, dryRun: true })
      const first = await run(args, { stdin })
      assert.equal(first.code, 0, first.stderr)
      assert.containsSubset(first.json(), { read: 1, imported: 1, skipped: 0, refused: 0 })
      const again = await run(args, { stdin })
      assert.containsSubset(again.json(), { imported: 0, skipped: 1 })
      const login = await beside.product.ask('/auth/login', {
        body: { email, password: PASSWORD },
      })
      assert.equal(login.status, 200)
      const exported = await run(['user:export', '--format=ndjson', '--with-hashes', '--yes'])
      const line = exported.stdout.split('\n').find((each) => each.includes(email))!
      assert.match(JSON.parse(line).passwordHash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    })

  test('report each refused row by its line and reason', async ({ assert }) => {
    const rows = [
      { email: 'not an address' },
      { email: someEmail(), passwordHash: 'plain text' },
      { email: someEmail(), role: 'Root' },
      { email: someEmail() },
    ]
    const stdin = `${rows.map((row) => JSON.stringify(row)).join('\n')}\nno json\n`
    const { code, stderr, json } = await run(['user:import', '-', '--format=ndjson', '--json'], {
      stdin,
    })
    assert.equal(code, 1)
    assert.containsSubset(json(), { read: 5, imported: 1, refused: 4 })
    for (const line of ['line 1:', 'line 2:', 'line 3:', 'line 5:']) assert.include(stderr, line)
    assert.notInclude(stderr, 'plain text')
  })

  test('take the first of two rows with one e-mail, and report', async ({ assert }) => {
    const email = someEmail()
    const rows = [
      { email, username: 'First' },
      { email, username: 'Second', role: 'Admin' },
    ]
    const report = join(temporaryFolder('report'), 'report.ndjson')
    const stdin = rows.map((row) => JSON.stringify(row)).join('\n')
    const { json } = await run(
      ['user:import', '-', '--format=ndjson', `--report=${report}`, '--json'],
      { stdin }
    )
    assert.containsSubset(json(), { read: 2, imported: 1, skipped: 1 })
    const shown = await run(['user:show', email, '--json'])
    assert.containsSubset(shown.json(), { username: 'First', role: 'User' })
    const told = JSON.parse(readFileSync(report, 'utf8'))
    assert.containsSubset(told, { line: 2, email, skipped: true })
  })

  test('round-trip as {format} with id, identities and hostile names')
    .with([{ format: 'csv' }, { format: 'ndjson' }, { format: 'json' }])
    .run(async ({ assert }, { format }) => {
      const email = someEmail()
      const given = {
        id: randomUUID(),
        email,
        username: '=HYPERLINK("x"), "quoted"',
        nickname: "O'Neil\u{1F600}",
        passwordHash: BCRYPT,
        identities: [{ provider: 'acme', issuer: 'https://acme.example', subject: email }],
      }
      await run(['user:import', '-', '--format=ndjson'], { stdin: JSON.stringify(given) })
      const args = ['user:export', `--search=${email}`, '--with-hashes', '--yes']
      const first = await run([...args, `--format=${format}`])
      await run(['user:delete', email, '--yes'])
      const gone = await run(['user:show', email])
      const again = await run(['user:import', '-', `--format=${format}`], { stdin: first.stdout })
      const second = await run([...args, '--format=ndjson'])
      const user = second.json()
      assert.deepEqual([gone.code, again.code], [3, 0])
      const { id, username, nickname, passwordHash, identities } = user
      assert.deepEqual({ id, email, username, nickname, passwordHash, identities }, given)
    })

  test('refuse hashes that no sign-in could verify, and say why', async ({ assert }) => {
    const [email, other] = [someEmail(), someEmail()]
    const credential = { algorithm: 'md5', hashIterations: 1 }
    const credentials = [
      { type: 'password', secretData: '{}', credentialData: JSON.stringify(credential) },
    ]
    const keycloak = await run(['user:import', '-', '--from=keycloak', '--format=json'], {
      stdin: JSON.stringify([{ email, credentials }]),
    })
    const firebase = await run(['user:import', '-', '--from=firebase', '--format=json'], {
      stdin: JSON.stringify([{ email: other, passwordHash: 'aGFzaA==', salt: 'c2FsdA==' }]),
    })
    assert.deepEqual([keycloak.code, firebase.code], [1, 1])
    assert.include(keycloak.stderr, 'unknown kind')
    assert.include(firebase.stderr, '--firebase')
  })

  test('report a truncated file without a stack', async ({ assert }) => {
    for (const stdin of ['[{"email":"a@exam', '{"users":[{"email":"a@exam']) {
      const { code, stderr } = await run(['user:import', '-', '--format=json'], { stdin })
      assert.equal(code, 2)
      assert.match(stderr, /^standard input, row 1: is no JSON\. Mend the file .+\n$/)
    }
  })

  test('name a file that cannot be used: {name}')
    .with([
      { name: 'a folder', args: ['.', '--format=csv'], says: /^\. is a folder/ },
      { name: 'no file', args: ['absent.csv'], says: /^absent\.csv is not there/ },
      {
        name: 'broken CSV',
        args: ['-', '--format=csv'],
        stdin: 'email,username\na@example.org,ada\n"b@example.org,bob\n',
        says: /^standard input, line \d: its quotes do not match/,
      },
      {
        name: 'a report nowhere',
        args: ['-', '--format=csv', '--report=/nowhere/x'],
        says: /^--report: \/nowhere\/x has no such folder/,
      },
      {
        name: 'no key of Firebase',
        args: ['-', '--format=json', '--from=firebase', '--firebase=/nowhere/x'],
        stdin: '{"users":[]}',
        says: /^--firebase: \/nowhere\/x is not there/,
      },
    ])
    .run(async ({ assert }, { args, stdin = '', says }) => {
      const { code, stderr } = await run(['user:import', ...args], { stdin })
      assert.equal(code, 2)
      assert.match(stderr, says)
      assert.lengthOf(stderr.trim().split('\n'), 1)
    })

  test('leave out identities that no database holds', async ({ assert }) => {
    const email = someEmail()
    const identities = [{ provider: 'acme', issuer: 'https://a\0', subject: 'x' }]
    const stdin = JSON.stringify({ email, identities })
    const { code } = await run(['user:import', '-', '--format=ndjson'], { stdin })
    assert.equal(code, 0)
  })

  test('understand an export of {from}')
    .with([
      {
        from: 'keycloak',
        rows: (email: string) => ({
          users: [
            {
              email,
              username: 'ada',
              enabled: true,
              credentials: [
                {
                  type: 'password',
                  secretData: JSON.stringify({
                    value: 'Zpygbr6LM2t8WDDXcV16WslEiyE=',
                    salt: 'gNAag5BSKoUw5pxT6v3fuw==',
                  }),
                  credentialData: JSON.stringify({ algorithm: 'pbkdf2', hashIterations: 20_000 }),
                },
              ],
            },
          ],
        }),
      },
      {
        from: 'keycloak',
        rows: (email: string) => ({
          users: [
            {
              email,
              username: 'ada',
              credentials: [
                {
                  type: 'password',
                  secretData: JSON.stringify({
                    value: 'KeKkzaTNSo7XU2m2KdVc+Q==',
                    salt: 'SokRAuB8LyXkfI9Rao1xDg==',
                  }),
                  credentialData: JSON.stringify({
                    algorithm: 'argon2',
                    hashIterations: 3,
                    additionalParameters: {
                      type: ['id'],
                      memory: ['65536'],
                      parallelism: ['4'],
                      version: ['1.3'],
                    },
                  }),
                },
              ],
            },
          ],
        }),
      },
      {
        from: 'django',
        rows: (email: string) => [
          {
            email,
            username: 'ada',
            is_active: true,
            password:
              'pbkdf2_sha256$29000$5uDoJI5nkGrW$6SviGiKEsVOIThGnh2I2c71I7ZAnEemubFoMx3Cn2XQ=',
          },
        ],
      },
      {
        from: 'supabase',
        rows: (email: string) => [{ email, encrypted_password: BCRYPT, raw_user_meta_data: '{}' }],
      },
      { from: 'devise', rows: (email: string) => [{ email, encrypted_password: BCRYPT }] },
      { from: 'auth0', rows: (email: string) => [{ email, passwordHash: BCRYPT, name: 'Ada' }] },
      {
        from: 'better-auth',
        rows: (email: string) => [
          {
            email,
            name: 'Ada',
            password:
              '5524e3bc6a428ea22a76deb6d1bd77f8:6c8819452b2c06d5c8218e1786b95d90ab38f132ba4daf81d445d4b2f373f353ee96aa31e500cda7fab78226b686c960b52f9f69c318d31f00c9996a5f554ce3',
          },
        ],
      },
    ])
    .run(async ({ assert }, { from, rows }) => {
      const email = someEmail()
      const args = ['user:import', '-', '--format=json', `--from=${from}`, '--json']
      const { code, stderr } = await run(args, { stdin: JSON.stringify(rows(email)) })
      assert.equal(code, 0, stderr)
      const login = await beside.product.ask('/auth/login', {
        body: { email, password: PASSWORD },
      })
      assert.equal(login.status, 200)
    })

  test('quote what a spreadsheet would take for a formula', async ({ assert }) => {
    const stdin = JSON.stringify([{ email: someEmail(), username: '=1+1' }])
    await run(['user:import', '-', '--format=json'], { stdin })
    const { stdout } = await run(['user:export'])
    assert.include(stdout, "'=1+1")
    assert.match(stdout, /^id,email,/)
  })

  test('import resumes where it was killed', async ({ assert }) => {
    const { product, settings } = beside
    const tag = someEmail().split('@')[0]
    const emails = Array.from({ length: 20_000 }, (_, index) => `${tag}-${index}@example.org`)
    const rows = emails.map((email) => `${JSON.stringify({ email })}\n`).join('')
    const args = ['user:import', '-', '--format=ndjson', '--json']
    const killed = spawnAce(product.dataDir, args, settings)
    killed.stdin.on('error', () => {})
    killed.stdin.write(rows.slice(0, rows.length / 2))
    let code: number | null = null
    while (code !== 0) ({ code } = await run(['user:show', emails[1_000]]))
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('close', resolve))
    const second = await run(args, { stdin: rows })
    const third = await run(args, { stdin: rows })
    const { imported, skipped } = second.json()
    assert.equal(imported + skipped, emails.length)
    assert.isAbove(skipped, 1_000)
    assert.isAbove(imported, 1_000)
    assert.containSubset(third.json(), { imported: 0, skipped: emails.length, refused: 0 })
  })
})

test.group('Commands | upkeep', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start()
  })
  group.teardown(() => product.remove())

  test('doctor names a database that does not answer', async ({ assert }) => {
    const backend = await Backend.withPostgres()
    await backend.postgres.stop('SIGQUIT')
    const { code, stdout } = await ace(newDataDir(), ['doctor'], { settings: backend.settings })
    await backend.remove()
    assert.equal(code, 1)
    assert.match(stdout, /✖ database +Postgres does not answer \(ECONNREFUSED/)
    assert.match(stdout, /✖ clock +not checked\n +→ See “database”\.$/m)
    assert.match(stdout, /✔ secrets/)
    assert.notMatch(stdout, /select/i)
  })

  test('check an installation line by line', async ({ assert }) => {
    const { code, stdout } = await ace(product.dataDir, ['doctor'])
    assert.equal(code, 0, stdout)
    assert.include(stdout, `✔ version         Gatehouse ${VERSION} on Node 24.`)
    for (const subject of ['secrets', 'database', 'migrations', 'clock', 'store', 'disk']) {
      assert.match(stdout, new RegExp(`^✔ ${subject}`, 'm'))
    }
    assert.isTrue(
      stdout.split('\n').every((line) => [...line].length <= 80),
      stdout
    )
  })

  test('doctor tells scripts subject, state, finding and remedy', async ({ assert }) => {
    const { json } = await ace(product.dataDir, ['doctor', '--json'])
    const mail = json().find(({ subject }: { subject: string }) => subject === 'mail')
    assert.deepEqual(mail, {
      subject: 'mail',
      state: 'warning',
      finding: 'mails become files (0 waiting, 0 failed)',
      remedy: 'Set SMTP_HOST to send them.',
    })
  })

  const MISSPELT = { LOCKOUT_TRESHOLD: '3' }
  const SHORT_LIFE = { ACCESS_TOKEN_TTL: '90s' }
  const MEANT = 'LOCKOUT_TRESHOLD is no setting: did you mean LOCKOUT_THRESHOLD?'

  test('doctor: of settings {finding}')
    .with([
      { finding: 'one has no effect', settings: MISSPELT, remedies: [MEANT] },
      { finding: 'one needs attention', settings: SHORT_LIFE, remedies: ['ACCESS_TOKEN_TTL is'] },
      {
        finding: '2 need attention',
        settings: { ...MISSPELT, ...SHORT_LIFE },
        remedies: [MEANT, 'ACCESS_TOKEN_TTL is'],
      },
    ])
    .run(async ({ assert }, { finding, settings, remedies }) => {
      const { code, json } = await ace(product.dataDir, ['doctor', '--json'], { settings })
      const found = json().find(({ subject }: { subject: string }) => subject === 'settings')
      assert.equal(code, 0)
      assert.containsSubset(found, { state: 'warning', finding })
      for (const remedy of remedies) assert.include(found.remedy, remedy)
    })

  test('doctor marks a warning, with its remedy below', async ({ assert }) => {
    const { stdout } = await ace(product.dataDir, ['doctor'], { settings: MISSPELT })
    assert.match(stdout, /^! settings +one has no effect\n +→ LOCKOUT_TRESHOLD [^→]+THRESHOLD\?$/m)
  })

  test('rotate secrets without signing users out', async ({ assert }) => {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    const { body } = await product.ask('/auth/login', { body: user })
    const rotated = await ace(product.dataDir, ['secrets:rotate', '--json'])
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.isTrue(rotated.json().every((keyring: { entries: number }) => keyring.entries === 2))
    assert.notInclude(rotated.stdout, 'value')
    const listed = await ace(product.dataDir, ['audit:list', '--action=secrets.rotated', '--json'])
    const [event] = listed.json()
    assert.match(event.actor, /^cli:/)
    assert.isNull(event.targetId)
    await product.stop()
    product = await Product.start({}, product.dataDir)
    const profile = await product.ask('/auth/profile', { token: body.accessToken })
    assert.equal(profile.status, 200)
    const { refreshToken } = body
    const refresh = await product.ask('/auth/refresh', { body: { refreshToken } })
    assert.equal(refresh.status, 200)
    const trail = await ace(product.dataDir, ['audit:verify'])
    assert.equal(trail.code, 0, trail.stderr)
  })

  test('show the newest mail with links that are whole', async ({ assert }) => {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    const latest = ['mail:show', '--latest', `--recipient=${user.email}`]
    const links: string[] = []
    await until(async () => {
      const { code, json } = await ace(product.dataDir, [...latest, '--json'])
      if (code === 0) links.push(...json().links)
      return code === 0
    })
    assert.match(links[0], /^http:\/\/localhost:\d+\/verify-email\?token=[\w-]+$/)
    const { stdout } = await ace(product.dataDir, latest)
    assert.match(stdout, new RegExp(`^To ${user.email}, .+ UTC, email_verification\n`))
    assert.include(stdout.split('\n'), links[0])
    const { json } = await ace(product.dataDir, ['audit:list', '--action=mail.read', '--json'])
    assert.match(json()[0].actor, /^cli:/)
  })

  test('mail:show exits with {code} {when}')
    .with([
      { when: 'without a mail', code: 2, args: [] },
      { when: 'with an unknown id', code: 3, args: ['0198c9a0-0000-7000-8000-000000000000'] },
      { when: 'where mails are sent', code: 3, args: ['--latest'], SMTP_HOST: '127.0.0.1' },
    ])
    .run(async ({ assert }, { args, code, SMTP_HOST = '' }) => {
      const shown = await ace(product.dataDir, ['mail:show', ...args], { settings: { SMTP_HOST } })
      assert.equal(shown.code, code, shown.stderr)
    })

  test('rotate secrets without losing the trail', async ({ assert }) => {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    for (const flags of [[], [], ['--drop-old', '--yes']]) {
      const { code, stderr } = await ace(product.dataDir, ['secrets:rotate', 'APP_KEY', ...flags])
      assert.equal(code, 0, stderr)
    }
    const events = await ace(product.dataDir, ['audit:list', `--user=${user.email}`, '--json'])
    assert.containsSubset(events.json(), [{ action: 'account.registered', ip: '127.0.0.1' }])
    const trail = await ace(product.dataDir, ['audit:verify'])
    assert.equal(trail.code, 0, trail.stderr)
  })

  test('refuse {what}')
    .with([
      {
        what: 'a logo that is not there',
        args: ['client:update', 'any', '--logo=/nope'],
        said: '--logo: /nope is not there',
      },
      {
        what: 'a folder as a logo',
        args: ['client:update', 'any', '--logo=/tmp'],
        said: '--logo: /tmp is a folder',
      },
      {
        what: 'to migrate where nobody can answer',
        args: ['migration:run'],
        said: 'without a terminal, say so with --force',
      },
      {
        what: 'to measure for no time',
        args: ['hash:calibrate', '--seconds=0'],
        said: '--seconds must be more than 0',
      },
    ])
    .run(async ({ assert }, { args, said }) => {
      const { code, stderr } = await ace(product.dataDir, args)
      assert.equal(code, 2, stderr)
      assert.include(stderr, said)
    })

  test('measure what a hash costs', async ({ assert }) => {
    const { code, json } = await ace(product.dataDir, ['hash:calibrate', '--json'])
    assert.equal(code, 0)
    assert.isAbove(json()[0].perSecond, 0)
  })
})
