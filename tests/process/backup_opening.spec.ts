import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { newIdentity } from '../functional/backup/archives.ts'
import { Backend } from './backend.ts'
import { BackupSource } from './backup_source.ts'
import { Installation } from './installation.ts'

/* The ways to open a backup: with standard input or the environment of another installation. */

const PASSPHRASE = 'correct horse battery staple'

async function otherIdentity() {
  const { identity } = await newIdentity()
  return identity
}

test.group('Backup | standard input', (group) => {
  let source: BackupSource
  let target: Installation
  group.setup(async () => {
    source = await BackupSource.start()
    const path = join(source.installation.dataDir, 'passphrase.age')
    const create = ['backup:create', '--passphrase', `--output=${path}`]
    await source.installation.succeed(create, { stdin: PASSPHRASE })
    return () => source.remove()
  })
  group.each.setup(() => {
    target = Installation.prepare(null)
    return () => target.remove()
  })
  group.tap((each) => each.timeout(180_000))

  const byPassphrase = () => [join(source.installation.dataDir, 'passphrase.age')]
  const byIdentity = () => [source.file('backup.age'), '--identity=-']

  test('it gives the identity')
    .with(['backup:verify', 'backup:restore'])
    .run(async ({ assert }, command) => {
      const key = readFileSync(source.file('key.txt'), 'utf8')
      const stdin = `# as age-keygen writes it\r\n\r\n${key}\r\n`
      const yes = command === 'backup:restore' ? ['--yes'] : []
      const { code, stderr } = await target.run([command, ...byIdentity(), ...yes], { stdin })
      assert.equal(code, 0, stderr)
      const emails = target.storedEmails()
      assert.equal(emails.includes(source.user.email), yes.length > 0)
    })

  test('it gives the passphrase of a restore', async ({ assert }) => {
    const args = ['backup:restore', ...byPassphrase(), '--yes']
    const { code, stderr } = await target.run(args, { stdin: `${PASSPHRASE}\n` })
    assert.equal(code, 0, stderr)
    assert.include(target.storedEmails(), source.user.email)
  })

  test('{title} ends with {code} and changes nothing')
    .with([
      { title: 'no passphrase', args: byPassphrase, stdin: '', code: 2 },
      { title: 'a wrong passphrase', args: byPassphrase, stdin: 'wrong', code: 1 },
      { title: 'no identity', args: byIdentity, stdin: '# none\n', code: 2 },
      { title: 'no identity of age', args: byIdentity, stdin: PASSPHRASE, code: 2 },
      { title: 'another identity', args: byIdentity, stdin: otherIdentity, code: 1 },
    ])
    .run(async ({ assert }, { args, stdin: given, ...expected }) => {
      const stdin = typeof given === 'string' ? given : await given()
      const { code, stderr } = await target.run(['backup:restore', ...args(), '--yes'], { stdin })
      assert.equal(code, expected.code, stderr)
      assert.match(stderr, /^[^\n]+\n$/)
      assert.notInclude(stderr, PASSPHRASE)
      assert.deepEqual(target.storedEmails(), [])
    })
})

const UNLIKE_APP_KEY = /^APP_KEY does not open this backup: [^\n]+\n$/
const UNLIKE_MFA_KEYS = /^MFA_ENCRYPTION_KEYS does not open this backup: [^\n]+\n$/

test.group('Backup | keyrings of Postgres', (group) => {
  let source: BackupSource
  let backend: Backend
  let target: Installation
  group.setup(async () => {
    source = await BackupSource.start()
    backend = await Backend.withPostgres()
    target = Installation.prepare(backend)
    return async () => {
      await source.remove()
      await target.remove()
    }
  })
  group.tap((each) => each.timeout(180_000))

  function keyringsThere() {
    const { dataDir } = source.installation
    const { APP_KEY, MFA_ENCRYPTION_KEYS } = JSON.parse(
      readFileSync(join(dataDir, 'secrets.json'), 'utf8')
    )
    return { APP_KEY, MFA_ENCRYPTION_KEYS } as Record<string, string>
  }

  const encrypted = () => source.opened
  const plain = () => [source.file('plain')]

  test('{title}: refused, and nothing was changed')
    .with([
      { title: 'all differ', file: encrypted, same: [], stderr: UNLIKE_APP_KEY },
      { title: 'one differs', file: encrypted, same: ['APP_KEY'], stderr: UNLIKE_MFA_KEYS },
      {
        title: 'APP_KEY differs',
        file: encrypted,
        same: ['MFA_ENCRYPTION_KEYS'],
        stderr: UNLIKE_APP_KEY,
      },
      { title: 'without encryption', file: plain, same: [], stderr: UNLIKE_APP_KEY },
    ])
    .run(async ({ assert }, { file, same, ...expected }) => {
      const there = keyringsThere()
      const settings = Object.fromEntries(same.map((name) => [name, there[name]]))
      for (const flag of ['--dry-run', '--yes']) {
        const refused = await target.run(['backup:restore', ...file(), flag], { settings })
        assert.equal(refused.code, 4, refused.stderr)
        assert.match(refused.stderr, expected.stderr)
      }
      for (const table of ['users', 'unfinished_restores'])
        assert.deepEqual(await backend.query(`SELECT 1 FROM ${table}`), [])
    })

  test('the same keyrings: all is there, and opens', async ({ assert }) => {
    Object.assign(target.settings, keyringsThere())
    const { code, stderr } = await target.run(['backup:restore', ...source.opened, '--yes'])
    assert.equal(code, 0, stderr)
    const { json: listed } = await target.succeed(['user:list', '--json'])
    assert.containsSubset(listed(), [{ email: source.user.email }])
    const { json } = await target.succeed(['audit:verify', '--json'])
    assert.isTrue(json().isWhole)
  })
})
