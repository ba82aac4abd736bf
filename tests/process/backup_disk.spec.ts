import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Sqlite from 'better-sqlite3'
import { getActiveTestOrFail, test } from '@japa/runner'
import { PASSWORD } from '#tests/support/users'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { pretend, unpack } from '../functional/backup/archives.ts'
import { outcomeOf, signIn } from '../functional/matrix/stored_users.ts'
import { spawnAce } from './ace.ts'
import { BackupSource } from './backup_source.ts'
import { Installation } from './installation.ts'
import { DISKS_FORBIDDEN, SmallDisk } from './small_disk.ts'

/* What a backup and a restore leave behind when the disk is full. */

const USERS = 12_000

const canMount = SmallDisk.isAllowed()

/** Writes an archive whose rows take twice the space of the test's disk. */
async function manyUsers(path: string) {
  const entries = await unpack(path)
  const users = entries.find(({ header }) => header.name === 'tables/users.ndjson')!
  const [row] = users.content.toString().split('\n')
  const more = Array.from({ length: USERS }, (_, at) => {
    const names = { email: `user-${at}@example.org`, handle: `user-${at}`, username: `User ${at}` }
    return `${JSON.stringify({ ...JSON.parse(row), ...names, id: crypto.randomUUID() })}\n`
  })
  users.content = Buffer.concat([users.content, Buffer.from(more.join(''))])
  return pretend(entries, () => {})
}

/** Only the last statement of a restore deletes this row. */
const FULL_AT_THE_END = `
  CREATE TABLE ballast (content BLOB);
  CREATE TRIGGER no_room BEFORE DELETE ON unfinished_restores
  BEGIN INSERT INTO ballast VALUES (zeroblob(134217728)); END`

const UNFINISHED =
  /^the disk of the database is full \(SQLITE_FULL\)\. [^\n]+\nWhat the backup holds is here, but the restore is not done\.\nRun the same command again; [^\n]+\n$/

function changeDatabase({ dataDir }: Installation, statements: string) {
  const database = new Sqlite(join(dataDir, 'gatehouse.sqlite'))
  database.exec(statements)
  database.close()
}

/** Makes an installation whose files are on a small disk for the rest of a test. */
function onSmallDisk(size: string) {
  const target = Installation.prepare(null)
  const disk = new SmallDisk(target.dataDir, size)
  getActiveTestOrFail().cleanup(async () => {
    await target.product?.stop('SIGKILL')
    disk.remove()
    await target.remove()
  })
  return { target, disk }
}

test.group('Backup | full disk', (group) => {
  let source: BackupSource
  group.setup(async () => {
    source = await BackupSource.start()
    return () => source.remove()
  })
  group.tap((each) => each.timeout(180_000))

  async function backupsMade() {
    const args = ['audit:list', '--action=backup.created', '--json']
    const { json } = await source.installation.succeed(args)
    return (json() as unknown[]).length
  }

  test('no file is left, and one sentence tells why', async ({ assert, cleanup }) => {
    const folder = temporaryFolder('full')
    const disk = new SmallDisk(folder, '1m')
    cleanup(() => {
      disk.remove()
      rmSync(folder, { recursive: true })
    })
    disk.fill()
    const before = await backupsMade()
    const args = ['backup:create', `--output=${join(folder, 'backup')}`]
    const { code, stdout, stderr } = await source.installation.run(args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^the disk is full \(ENOSPC\)\. Make room [^\n]+\.\n$/)
    assert.deepEqual(readdirSync(folder), ['ballast'])
    assert.equal(await backupsMade(), before)
  }).skip(!canMount, DISKS_FORBIDDEN)

  test('standard output that ends early is no success', async ({ assert }) => {
    const before = await backupsMade()
    const { dataDir, settings } = source.installation
    const child = spawnAce(dataDir, ['backup:create', '--output=-'], settings)
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.stdout.destroy()
    const [code, stderr] = await Promise.all([ended, text(child.stderr)])
    assert.equal(code, 1)
    assert.equal(stderr, 'The backup was cut off: standard output takes no more (EPIPE).\n')
    assert.equal(await backupsMade(), before)
  })

  test('a restore changes nothing, and works with more room', async ({ assert }) => {
    const large = source.change(await manyUsers(source.file('plain')))
    const { target, disk } = onSmallDisk('6m')
    const carol = { email: 'carol@example.org', password: PASSWORD }
    const create = ['user:create', carol.email, '--username=Carol', '--permanent']
    await target.succeed(create, { stdin: PASSWORD })
    const restore = () => target.run(['backup:restore', large, '--yes', '--replace'])
    const failed = await restore()
    assert.equal(failed.code, 5, failed.stderr)
    assert.match(failed.stderr, /^the disk of the database is full \(SQLITE_FULL\)\. [^\n]+\.\n$/)
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, carol)), '200')
    await target.product.stop()
    disk.resize('128m')
    const repeated = await restore()
    assert.equal(repeated.code, 0, repeated.stderr)
    const { json } = await target.succeed(['user:show', `user-${USERS - 1}@example.org`, '--json'])
    assert.equal(json().handle, `user-${USERS - 1}`)
  }).skip(!canMount, DISKS_FORBIDDEN)

  test('a restore that cannot note its end is repeated', async ({ assert }) => {
    const { target } = onSmallDisk('64m')
    await target.succeed(['user:list'])
    changeDatabase(target, FULL_AT_THE_END)
    const restore = () => target.run(['backup:restore', source.file('plain'), '--yes', '--json'])
    const failed = await restore()
    assert.deepEqual([failed.code, failed.stdout], [5, ''], failed.stderr)
    assert.match(failed.stderr, UNFINISHED)
    const { code, output } = await target.refusalOfStart()
    assert.equal(code, 1)
    assert.match(output, /^Gatehouse cannot start: .* backup:restore plain --yes/m)
    changeDatabase(target, 'DROP TRIGGER no_room')
    const repeated = await restore()
    assert.equal(repeated.code, 0, repeated.stderr)
    await target.serve()
    assert.equal(outcomeOf(await signIn(target, source.user)), '401 E_INVALID_CREDENTIALS')
  }).skip(!canMount, DISKS_FORBIDDEN)
})
