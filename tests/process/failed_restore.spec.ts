import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import { pretend, unpack, withManifest } from '../functional/backup/archives.ts'
import { outcomeOf, signIn } from '../functional/matrix/stored_users.ts'
import { BackupSource } from './backup_source.ts'
import { Installation } from './installation.ts'

/* What a restore leaves behind if it fails or is killed. */

const ROBOT = `
serviceAccounts:
  - username: robot
clients:
  - clientId: report
    name: Report
    grantTypes: [client_credentials]
    serviceAccount: robot
`

const KEPT = ['--name=Kept', '--redirect-uri=https://app.example.org/cb']

test.group('Restore | failures', (group) => {
  let source: BackupSource
  let target: Installation
  group.setup(async () => {
    source = await BackupSource.start()
    return () => source.remove()
  })
  group.each.setup(() => {
    target = Installation.prepare(null)
    return () => target.remove()
  })
  group.tap((each) => each.timeout(180_000))

  const restore = (args: string[]) => target.run(['backup:restore', ...args])

  async function withEntry(name: string, content = 'x') {
    const entries = await unpack(source.file('plain'))
    entries.push({ header: { name }, content: Buffer.from(content) })
    return source.change(await pretend(entries, () => {}))
  }

  const openDatabase = () => new Sqlite(join(target.dataDir, 'gatehouse.sqlite'))

  /** Leaves the state of a restore that was killed. */
  function openUnfinished() {
    const database = openDatabase()
    const columns = '(id, run_id, file, started_at)'
    database.exec(`INSERT INTO unfinished_restores ${columns} VALUES (1, '', 'backup.age', 0)`)
    return database
  }

  test('no server starts on new rows without their files', async ({ assert }) => {
    const file = await withEntry('logo.png')
    const logo = join(target.dataDir, 'logo.png')
    mkdirSync(logo)
    const failed = await restore([file, '--yes'])
    assert.equal(failed.code, 1, failed.stderr)
    const { code, output } = await target.refusalOfStart()
    assert.equal(code, 1)
    assert.match(output, /^Gatehouse cannot start: .* backup:restore changed --yes/m)
    rmSync(logo, { recursive: true })
    const repeated = await restore([file, '--yes'])
    assert.equal(repeated.code, 0, repeated.stderr)
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, source.user)), '401 E_INVALID_CREDENTIALS')
  })

  test('no server starts after a killed restore', async ({ assert }) => {
    await restore([...source.opened, '--yes'])
    openUnfinished().close()
    const { code, output } = await target.refusalOfStart()
    assert.equal(code, 1)
    assert.match(output, /^Gatehouse cannot start: .* backup:restore backup\.age/m)
    const repeated = await restore([...source.opened, '--yes'])
    assert.equal(repeated.code, 0, repeated.stderr)
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, source.user)), '200')
  })

  test('a server that starts meanwhile names the restore', async ({ assert }) => {
    await restore([source.file('plain'), '--yes'])
    const database = openUnfinished()
    database.exec('BEGIN IMMEDIATE')
    const { code, output } = await target.refusalOfStart()
    database.close()
    assert.equal(code, 1)
    assert.match(output, /^Gatehouse cannot start: A restore of backup\.age runs here/m)
  })

  test('what a killed restore left is removed', async ({ assert }) => {
    const left = join(target.dataDir, `.restore-${crypto.randomUUID()}.sqlite-wal`)
    writeFileSync(left, '')
    await restore([source.file('plain'), '--yes'])
    assert.isFalse(existsSync(left))
  })

  test('keyrings without encryption are refused', async ({ assert }) => {
    const { code, stderr } = await restore([await withEntry('keyrings.json', '{}'), '--yes'])
    assert.deepEqual([code, existsSync(join(target.dataDir, 'keyrings.json'))], [1, false])
    assert.match(stderr, /^The keyrings of this backup are not what its manifest says\.$/m)
  })

  test('format {0}: a restore is refused, and verifying fails')
    .with([
      [2, 'newer'],
      [0, 'another one'],
    ] as const)
    .run(async ({ assert }, [format, which]) => {
      const file = source.change(
        await withManifest(source.file('plain'), (manifest) => void (manifest.format = format))
      )
      const refused = await restore([file, '--yes'])
      assert.equal(refused.code, 4, refused.stderr)
      assert.include(refused.stderr, `whose format is ${which}.`)
      const verified = await target.run(['backup:verify', file])
      assert.equal(verified.code, 1, verified.stderr)
    })

  const openSource = () => new Sqlite(join(source.installation.dataDir, 'gatehouse.sqlite'))

  function insertConsent(database: Sqlite.Database, clientId: string) {
    const columns = '(id, user_id, client_id, created_at, updated_at)'
    const consent = database.prepare(`INSERT INTO oauth_consents ${columns} VALUES (?, ?, ?, 1, 1)`)
    consent.run(randomUUID(), source.user.id, clientId)
  }

  /** Leaves the state of a deleted client whose job has not run yet. */
  function leaveConsent() {
    const database = openSource()
    insertConsent(database, 'grafana')
    const deletion = "INSERT INTO client_deletions (client_id, requested_at) VALUES ('grafana', 1)"
    database.exec(deletion)
    database.close()
  }

  test('a client that was being deleted leaves no consent', async ({ assert }) => {
    const backup = source.file('changed')
    rmSync(backup, { force: true })
    leaveConsent()
    await source.installation.succeed(['backup:create', `--output=${backup}`])
    const { code, stderr } = await restore([backup, '--yes'])
    assert.equal(code, 0, stderr)
    const database = openDatabase()
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    assert.deepEqual(['oauth_consents', 'client_deletions'].map(count), [0, 0])
    database.close()
  })

  test('a backup of an earlier version brings no consent to a deleted client', async ({
    assert,
  }) => {
    const backup = source.file('changed')
    rmSync(backup, { force: true })
    const [registered, document] = ['kept', 'https://app.example.org/client']
    const before = openSource()
    for (const id of ['wiki', registered, document]) insertConsent(before, id)
    before.close()
    await source.installation.succeed(['client:create', `--client-id=${registered}`, ...KEPT])
    await source.installation.succeed(['backup:create', `--output=${backup}`])
    const { code, stderr } = await restore([backup, '--yes'])
    assert.equal(code, 0, stderr)
    const database = openDatabase()
    const consents = database.prepare('SELECT client_id FROM oauth_consents').pluck()
    assert.sameMembers(consents.all(), [registered, document])
    database.close()
  })

  test('erased users and accounts of files go without a mail', async ({ assert }) => {
    const { installation, user } = source
    const file = join(installation.dataDir, 'robot.yml')
    writeFileSync(file, ROBOT)
    await installation.succeed(['config:apply', file])
    const { json } = await installation.succeed(['user:show', 'robot', '--json'])
    const [deleted, backup] = [join(target.dataDir, 'deleted.txt'), source.file('changed')]
    writeFileSync(deleted, `${user.id}\n${json().id}\n`)
    rmSync(backup, { force: true })
    await installation.succeed(['backup:create', `--output=${backup}`])
    const { code, stderr } = await restore([backup, '--yes', `--deleted=${deleted}`])
    assert.equal(code, 0, stderr)
    const database = openDatabase()
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    assert.deepEqual(['users', 'mails', 'queue_jobs'].map(count), [1, 0, 0])
    const fields = database.prepare('SELECT kind, fields FROM managed_records').all()
    database.close()
    assert.lengthOf(fields, 1)
    assert.notInclude(JSON.stringify(fields), 'serviceAccountId')
  })
})
