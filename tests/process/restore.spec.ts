import { setTimeout as wait } from 'node:timers/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { PASSWORD } from '#tests/support/users'
import { pretend, unpack, withManifest } from '../functional/backup/archives.ts'
import { outcomeOf, signIn } from '../functional/matrix/stored_users.ts'
import { profileBy } from '../functional/matrix/stored_credentials.ts'
import { spawnAce } from './ace.ts'
import { BackupSource } from './backup_source.ts'
import { Installation } from './installation.ts'

/* `backup:restore` on SQLite, run in the same way as an operator runs it. */

const TWENTY = Array.from({ length: 20 }, (_, at) => at)

test.group('Restore', (group) => {
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

  test('users, keys and trail are there and sessions ended', async ({ assert }) => {
    const { code, stderr, stdout } = await restore([...source.opened, '--yes', '--json'])
    assert.equal(code, 0, stderr)
    const counts = { users: 2, admins: 1, apiKeys: 1, encrypted: true, age: '0 minutes' }
    assert.containsSubset(JSON.parse(stdout), counts)
    assert.match(stderr, /and its audit log is whole: \d+ events\.\nNothing is sent until/)
    const listed = await target.succeed(['audit:list', '--json', '--limit=1'])
    assert.containsSubset(listed.json()[0], { action: 'backup.restored', details: { users: 2 } })
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, source.user)), '200')
    assert.equal(await profileBy(target, source.apiKey), '200')
    const { stdout: doctor } = await target.run(['doctor'])
    assert.match(doctor, /backup:resume/)
  })

  test('without encryption users set a password', async ({ assert }) => {
    const { code, stderr } = await restore([source.file('plain'), '--yes'])
    assert.equal(code, 0, stderr)
    assert.match(stderr, /each user sets a password.*\n.*\n.*\nThe audit log .* is left out/)
    assert.match(stderr, /and the new audit log is whole: 1 event\.\n/)
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, source.user)), '401 E_INVALID_CREDENTIALS')
    assert.equal(await profileBy(target, source.apiKey), '401 E_UNAUTHORIZED')
    const { json } = await target.succeed(['audit:verify', '--json'])
    assert.isTrue(json().isWhole)
  })

  test('a dry run changes nothing', async ({ assert }) => {
    const { code, stderr } = await restore([...source.opened, '--dry-run'])
    assert.deepEqual([code, stderr], [0, 'Nothing was changed: this was a dry run.\n'])
    assert.deepEqual(target.storedEmails(), [])
  })

  test('keys end and deleted users stay deleted if asked', async ({ assert }) => {
    const deleted = join(target.dataDir, 'deleted.txt')
    writeFileSync(deleted, `${source.user.id}\n${crypto.randomUUID()}\n`)
    const args = ['--yes', '--expire-keys', `--deleted=${deleted}`]
    const { code, stderr } = await restore([...source.opened, ...args])
    assert.equal(code, 0, stderr)
    assert.deepEqual(target.storedEmails(), ['ada@example.org'])
    const keys = await target.succeed(['key:list', '--json'])
    assert.deepEqual(keys.json(), [])
    const { json } = await target.succeed(['audit:verify', '--json'])
    assert.isTrue(json().isWhole)
  })

  async function keyIdsOf({ product }: Installation) {
    const { body } = await product.ask('/.well-known/jwks.json')
    return (body.keys as { kid: string }[]).map(({ kid }) => kid)
  }

  test('published signing keys {outcome}')
    .with([
      { outcome: 'come back', flags: [], areKept: true },
      { outcome: 'are others if asked', flags: ['--expire-keys'], areKept: false },
    ])
    .run(async ({ assert }, { flags, areKept }) => {
      const { code, stderr } = await restore([...source.opened, '--yes', ...flags])
      assert.equal(code, 0, stderr)
      await target.serve()
      const [before, after] = [await keyIdsOf(source.installation), await keyIdsOf(target)]
      assert.isNotEmpty(before)
      assert.isNotEmpty(after)
      const kept = before.filter((id) => after.includes(id))
      assert.deepEqual(kept, areKept ? before : [])
    })

  test('users are replaced only if asked', async ({ assert }) => {
    const create = ['user:create', 'carol@example.org', '--username=Carol', '--permanent']
    await target.succeed(create, { stdin: PASSWORD })
    const refused = await restore([...source.opened, '--yes'])
    assert.equal(refused.code, 4, refused.stderr)
    assert.match(refused.stderr, /^This installation has users \(1\)\. Add --replace/)
    assert.deepEqual(target.storedEmails(), ['carol@example.org'])
    const replaced = await restore([...source.opened, '--yes', '--replace'])
    assert.equal(replaced.code, 0, replaced.stderr)
    assert.sameMembers(target.storedEmails(), ['ada@example.org', source.user.email])
  })

  test('a server that runs is not restored under', async ({ assert }) => {
    const args = [...source.opened, '--yes', '--replace']
    const refused = await source.installation.run(['backup:restore', ...args])
    assert.equal(refused.code, 4, refused.stderr)
    assert.match(refused.stderr, /^A server runs on this installation, on .*\. Stop it first/)
  })

  test('a newer backup is refused, with {migrations.length} new migrations')
    .with([{ migrations: ['9999_create_future'] }, { migrations: [] }])
    .run(async ({ assert }, { migrations }) => {
      const newer = await withManifest(source.file('plain'), (manifest) => {
        manifest.migrations.push(...migrations)
        manifest.version = '0.10.0'
      })
      const { code, stderr } = await restore([source.change(newer), '--yes'])
      assert.equal(code, 4)
      assert.match(stderr, /^The backup was made by Gatehouse 0\.10\.0, which is newer than/)
    })

  test('rows that contradict each other change nothing', async ({ assert }) => {
    const entries = await unpack(source.file('plain'))
    const lines = entries.find(({ header }) => header.name === 'tables/users.ndjson')!
    lines.content = Buffer.concat([lines.content, lines.content])
    const lying = source.change(await pretend(entries, () => {}))
    const { code, stderr } = await restore([lying, '--yes'])
    assert.deepEqual([code, stderr.split('\n').length], [1, 2], stderr)
    assert.deepEqual(target.storedEmails(), [])
  })

  test('an older backup passes the migrations since', async ({ assert }) => {
    const older = await olderArchive(source.file('plain'))
    const { code, stderr } = await restore([source.change(older), '--yes'])
    assert.equal(code, 0, stderr)
    const { json } = await target.succeed(['user:show', source.user.email, '--json'])
    assert.equal(json().handle, 'grace')
  })

  test('a restore killed at twenty moments is repeated', async ({ assert }) => {
    const startedAt = performance.now()
    await restore([...source.opened, '--dry-run'])
    const tookMs = (performance.now() - startedAt) * 1.3
    for (const at of TWENTY) await killAfter((tookMs * at) / TWENTY.length)
    const { code, stderr } = await restore([...source.opened, '--yes', '--replace'])
    assert.equal(code, 0, stderr)
    assert.sameMembers(target.storedEmails(), ['ada@example.org', source.user.email])
  }).timeout(300_000)

  async function killAfter(ms: number) {
    const args = ['backup:restore', ...source.opened, '--yes', '--replace']
    const child = spawnAce(target.dataDir, args, target.settings)
    const closed = new Promise((resolve) => child.once('close', resolve))
    await wait(ms)
    child.kill('SIGKILL')
    await closed
  }
})

const OLDER_TABLE =
  /manifest|(installation|users|identities|known_devices|passkeys|audit_\w+)\.ndjson/

/** Writes an archive of a version without handles, groups and metadata. */
async function olderArchive(path: string) {
  const entries = await unpack(path)
  const kept = entries.filter(({ header }) => OLDER_TABLE.test(header.name))
  for (const entry of kept) {
    const later = LATER_COLUMNS[entry.header.name]
    if (later) entry.content = without(later, entry.content)
  }
  return pretend(kept, (manifest) => {
    manifest.migrations = manifest.migrations.filter((name) => name < '0045')
  })
}

const LATER_COLUMNS: Record<string, string[]> = {
  'tables/users.ndjson': ['handle', 'handle_received_at', 'group_ids', 'metadata', 'app_metadata'],
  'tables/installation.ndjson': ['skipped_steps'],
}

function without(columns: string[], lines: Buffer) {
  const rows = lines
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const row of rows) for (const name of columns) delete row[name]
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}
