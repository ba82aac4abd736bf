import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/backup'
import { SYSTEM } from '#audit/actor'
import { createBackup } from '#backup/create'
import { pauseOutbound, resumeOutbound } from '#backup/outbound_pause'
import { deleteOldFiles } from '#backup/scheduled/files'
import { makeDueBackup, type Make } from '#backup/scheduled/make_due'
import { findBackupState, noteVerified } from '#backup/scheduled/state'
import { BackupCheck } from '#health/checks/backup_check'
import { backupGauges } from '#health/metrics/backup_gauges'
import { BATCH_SIZE } from '#database/batches'
import { turnsDuring } from '#tests/support/event_loop'
import { createAdmin } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { newIdentity } from './archives.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const RECIPIENT = `age1${'q'.repeat(58)}`

type Options = Parameters<Make>[0]

const never = new AbortController().signal

/** Takes the place of the archive, which has its own tests. */
function write({ output }: Options) {
  writeFileSync(output, 'archive', { mode: 0o600 })
}

const make = (maker: Make = write) => makeDueBackup(maker, never)

async function fail(): Promise<never> {
  throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
}

/** Moves the last backup, failure and mail into the past by this time. */
async function pass(ms: number) {
  for (const column of ['made_at', 'first_made_at', 'verified_at', 'failed_at', 'mailed_at']) {
    await db.from('backup_state').whereNotNull(column).decrement(column, ms)
  }
  await db.from('backup_files').decrement('made_at', ms)
}

const BATCHES = 6

const MARK = 'many-'

/** Rows that nothing else reads, in several batches of an archive. */
async function addManyRows() {
  for (let batch = 0; batch < BATCHES; batch++) {
    const rows = Array.from({ length: BATCH_SIZE }, (_, at) => ({ hash: `${MARK}${batch}-${at}` }))
    await db.table('handles').multiInsert(rows)
  }
  return async () => {
    await db.from('handles').where('hash', 'like', `${MARK}%`).delete()
  }
}

const files = () => readdirSync(settings.folder).sort()

async function forget() {
  await db.from('backup_state').delete()
  await db.from('backup_files').delete()
}

function schedule(group: { each: { setup: (hook: () => Promise<() => Promise<void>>) => void } }) {
  group.each.setup(async () => {
    const before = { ...settings }
    const folder = temporaryFolder('backups')
    Object.assign(settings, { everyMs: DAY, folder, keep: 2, recipients: [RECIPIENT] })
    await forget()
    return async () => {
      Object.assign(settings, before)
      rmSync(folder, { recursive: true })
      await forget()
    }
  })
}

test.group('Scheduled backups', (group) => {
  schedule(group)

  test('one is made when it is due, for the recipient', async ({ assert }) => {
    const given: Options[] = []
    const maker = (options: Options) => {
      given.push(options)
      write(options)
    }
    assert.equal(await make(maker), 'made')
    assert.deepEqual(given[0].recipients, [RECIPIENT])
    const [name] = files()
    assert.match(name, /^scheduled-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-[\da-f]{8}\.tar\.zst\.age$/)
    assert.equal(statSync(settings.folder).mode & 0o777, 0o700)
  })

  test('a thread makes it of thousands of rows, and others get in', async ({ assert, cleanup }) => {
    const { recipient } = await newIdentity()
    settings.recipients = [recipient]
    cleanup(await addManyRows())
    let threads = 0
    const count = () => void threads++
    process.on('worker', count)
    cleanup(() => void process.off('worker', count))
    const turns = await turnsDuring(async () => {
      assert.equal(await make(createBackup), 'made')
    })
    assert.isAtLeast(threads, 1)
    assert.isAtLeast(turns, BATCHES)
    assert.lengthOf(files(), 1)
  })

  test('none is made while it is off', async ({ assert }) => {
    Object.assign(settings, { everyMs: null })
    assert.equal(await make(), 'none')
  })

  test('the next one is due a day later', async ({ assert }) => {
    await make()
    await pass(DAY - 60_000)
    assert.equal(await make(), 'none')
    await pass(60_000)
    assert.equal(await make(), 'made')
  })

  test('of many processes at once one makes it', async ({ assert }) => {
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => make()))
    assert.sameMembers(outcomes, ['made', 'none', 'none', 'none', 'none'])
    assert.lengthOf(files(), 1)
  })

  test('none is made while a restored copy rests', async ({ assert }) => {
    await db.transaction((trx) => pauseOutbound(trx, { reason: 'A backup was restored.' }))
    const resting = await make()
    await resumeOutbound(SYSTEM)
    assert.deepEqual([resting, await make()], ['none', 'made'])
  })

  test('the newest stay, and files of others too', async ({ assert }) => {
    writeFileSync(join(settings.folder, 'gatehouse-2026-01-01T00-00-00Z.tar.zst.age'), 'by hand')
    const made: string[] = []
    for (let number = 1; number <= 3; number++) {
      await make((options) => {
        made.push(basename(options.output))
        write(options)
      })
      await pass(DAY)
    }
    const [byHand, ...kept] = files()
    assert.include(byHand, 'gatehouse-')
    assert.sameMembers(kept, made.slice(1))
    assert.lengthOf(await db.from('backup_files'), 2)
  })

  test('a process that was killed leaves its turn to another', async ({ assert }) => {
    await make()
    await pass(DAY)
    await db.from('backup_state').update({ run_until: Date.now() + 30_000 })
    assert.equal(await make(), 'none')
    await db.from('backup_state').update({ run_until: Date.now() - 30_000 })
    assert.equal(await make(), 'made')
  })

  test('one that lost its turn leaves no file', async ({ assert }) => {
    const outcome = await make(async (options) => {
      write(options)
      await db.from('backup_state').update({ run_id: null })
    })
    assert.equal(outcome, 'lost')
    assert.isEmpty(files())
  })

  test('one that fails after its file was written leaves no file', async ({ assert }) => {
    const late = (options: Options) => {
      write(options)
      throw new Error('the database is away')
    }
    assert.deepEqual([await make(late), files()], ['failed', []])
    await pass(HOUR)
    const unnoted = async (options: Options) => {
      write(options)
      const row = { name: basename(options.output), host: '', made_at: 1 }
      await db.table('backup_files').insert(row)
    }
    assert.deepEqual([await make(unnoted), files()], ['failed', []])
  })

  test('one that is ended gives its turn back', async ({ assert }) => {
    const stop = new AbortController()
    const maker = ({ signal }: Options) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        stop.abort(new Error('The process ends.'))
      })
    assert.equal(await makeDueBackup(maker, stop.signal), 'none')
    assert.equal(await make(), 'made')
  })

  test('drafts of a day ago are deleted', async ({ assert }) => {
    const draft = join(
      settings.folder,
      '.scheduled-2026-01-01T00-00-00Z-0a1b2c3d.tar.zst.age.0a1b2c3d'
    )
    writeFileSync(draft, '')
    await deleteOldFiles()
    assert.lengthOf(files(), 1)
    const old = new Date(Date.now() - DAY - 1_000)
    utimesSync(draft, old, old)
    await deleteOldFiles()
    assert.isEmpty(files())
  })

  test('a name in the table leads to no other file', async ({ assert }) => {
    const outside = join(settings.folder, 'kept.txt')
    writeFileSync(outside, 'kept')
    Object.assign(settings, { keep: 0 })
    for (const name of ['kept.txt', '../kept.txt']) {
      await db.table('backup_files').insert({ name, host: 'elsewhere', made_at: 1 })
    }
    await deleteOldFiles()
    assert.deepEqual(files(), ['kept.txt'])
  })
})

test.group('Scheduled backups | failures', (group) => {
  schedule(group)

  test('one is tried again after an hour', async ({ assert }) => {
    assert.equal(await make(fail), 'failed')
    await pass(HOUR - 60_000)
    assert.equal(await make(), 'none')
    await pass(60_000)
    assert.equal(await make(), 'made')
  })

  test('administrators get a mail about it once a day', async ({ assert }) => {
    await createAdmin()
    const before = await countMails()
    await make(fail)
    await deliverMails()
    /** Administrators of other tests may have lost the address or been told of another failure. */
    const sent = db
      .from('mails')
      .where({ ...KIND, status: 'sent' })
      .orderBy('id', 'desc')
    const { recipient } = await sent.firstOrFail()
    const mails = await mailFilesOf(recipient)
    const mail = mails.findLast(({ kind }) => kind === KIND.kind)!
    assert.include(mail.text.replaceAll(/\s+/g, ' '), 'failed: the disk is full.')
    const told = await countMails()
    assert.isAbove(told, before)
    await pass(DAY - 60_000)
    await make(fail)
    assert.equal(await countMails(), told)
    await pass(HOUR)
    await make(fail)
    assert.equal((await countMails()) - told, told - before)
  })

  test('doctor names the reason, until one is made', async ({ assert }) => {
    await make(fail)
    const { status, message } = await new BackupCheck().run()
    assert.equal(status, 'error')
    const reason = 'the disk of BACKUP_DIR is full (ENOSPC)'
    assert.equal(message, `the last one failed: ${reason}; none was made yet`)
    await pass(HOUR)
    await make()
    const after = await new BackupCheck().run()
    assert.deepEqual([after.status, after.message], ['ok', 'the newest is 0 hours old'])
  })
})

const KIND = { kind: 'backup_failed' }

/** Counts the mails to all administrators that tests have made. */
async function countMails() {
  const mails = await db.from('mails').where(KIND)
  return mails.length
}

async function ages() {
  const samples = await backupGauges.read()
  return Object.values(samples).map((values) => values.map(({ value }) => Math.round(value)))
}

test.group('Scheduled backups | seen', (group) => {
  schedule(group)

  test('doctor says that none is scheduled', async ({ assert }) => {
    Object.assign(settings, { everyMs: null })
    const { status, message } = await new BackupCheck().run()
    assert.deepEqual([status, message], ['ok', 'none is scheduled (BACKUP_EVERY)'])
    assert.deepEqual(await ages(), [[], []])
  })

  test('doctor warns before the first one', async ({ assert }) => {
    const { status, message } = await new BackupCheck().run()
    assert.deepEqual([status, message], ['warning', 'none was made yet'])
  })

  test('doctor names one that is an hour too late', async ({ assert }) => {
    await make()
    await pass(DAY + HOUR - 60_000)
    assert.equal(await statusOfDoctor(), 'ok')
    await pass(61_000)
    assert.equal(await statusOfDoctor(), 'error')
  })

  test('doctor warns where none was opened for 90 days', async ({ assert }) => {
    await make()
    await pass(90 * DAY + 1_000)
    await make()
    assert.equal(await statusOfDoctor(), 'warning')
    await noteVerified()
    assert.equal(await statusOfDoctor(), 'ok')
    const { verifiedAt } = await findBackupState()
    assert.closeTo(verifiedAt!, Date.now(), 5_000)
  })

  test('metrics tell both ages', async ({ assert }) => {
    await make()
    await noteVerified()
    await pass(HOUR)
    const [[made], [verified]] = await ages()
    assert.closeTo(made, 3_600, 5)
    assert.closeTo(verified, 3_600, 5)
  })

  test('one that was never opened counts from the first one on', async ({ assert }) => {
    await make()
    await pass(HOUR)
    const [, [verified]] = await ages()
    assert.closeTo(verified, 3_600, 5)
  })

  test('metrics tell of one that was never made', async ({ assert }) => {
    await make(fail)
    assert.deepEqual(await ages(), [[Infinity], []])
  })
})

async function statusOfDoctor() {
  const { status } = await new BackupCheck().run()
  return status
}
