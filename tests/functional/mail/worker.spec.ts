import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { Worker } from '@adonisjs/queue'
import { KnexAdapter, knex } from '@boringnode/queue/drivers/knex_adapter'
import limits from '#config/limits'
import queue, { JOBS_TABLE, MAIL_QUEUE, POLL_MS } from '#config/queue'
import { FileTransport } from '#mails/file_transport'
import { isRepeatedCompletion } from '#queue/repeated_completion'
import { QueueWorker } from '#queue/worker'
import { createUser } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, queuePasswordChangedMail } from '#tests/support/mail'

const { send } = FileTransport.prototype
const { popFrom, retryJob } = KnexAdapter.prototype

async function queueNotice() {
  const user = await createUser({ password: null })
  await db.transaction((trx) => queuePasswordChangedMail(user, trx))
  return user.email
}

/** Returns the error that the library reports for a delivery that exceeds its idle delay. */
async function errorOfLibrary() {
  const adapters = { database: knex(db.connection().getWriteClient(), JOBS_TABLE) }
  const worker = new Worker({ ...queue, adapters, autoLoadJobs: false })
  for (;;) {
    const cycle = await worker.processCycle([MAIL_QUEUE])
    if (cycle?.type === 'error') return cycle.error
    if (!cycle || cycle.type === 'idle') return null
  }
}

test.group('Mail worker', (group) => {
  group.each.setup(async () => {
    await deliverMails()
    FileTransport.prototype.send = async function (...args) {
      await sleep(POLL_MS + 200)
      return send.apply(this, args)
    }
    return () => {
      FileTransport.prototype.send = send
      KnexAdapter.prototype.popFrom = popFrom
    }
  })

  test('goes on after a delivery that outlives the idle delay', async ({ assert }) => {
    const recipients = [await queueNotice(), await queueNotice()]
    await new QueueWorker(MAIL_QUEUE).drain()
    for (const recipient of recipients) assert.lengthOf(await mailFilesOf(recipient), 1)
  })

  test('still needs its remedy for the second end of a job', async ({ assert }) => {
    await queueNotice()
    const error = await errorOfLibrary()
    assert.isNotNull(error, 'the library is mended: remove app/queue/repeated_completion.ts')
    assert.isTrue(isRepeatedCompletion(error!), error!.stack)
  })

  test('reports a TypeError of another origin', async ({ assert }) => {
    KnexAdapter.prototype.popFrom = async () => {
      const { queue: name } = undefined as any
      return name
    }
    await assert.rejects(() => new QueueWorker(MAIL_QUEUE).drain(), /Cannot/)
    for (const message of ['other', `Cannot read properties of undefined (reading 'queue')`]) {
      assert.isFalse(isRepeatedCompletion(new TypeError(message)), message)
    }
  })
})

test.group('Mail worker | full disk', (group) => {
  const rejections: unknown[] = []
  const note = (error: unknown) => void rejections.push(error)

  group.each.setup(async () => {
    await deliverMails()
    process.on('unhandledRejection', note)
    return async () => {
      await db.from(JOBS_TABLE).delete()
      process.off('unhandledRejection', note)
      FileTransport.prototype.send = send
      KnexAdapter.prototype.retryJob = retryJob
    }
  })

  function fillDisk() {
    const full = async () => {
      throw new Error('disk I/O error')
    }
    FileTransport.prototype.send = full
    KnexAdapter.prototype.retryJob = full
  }

  test('deliveries whose outcome cannot be stored end no process', async ({ assert }) => {
    for (let count = 1; count <= limits.mailJobs; count++) await queueNotice()
    fillDisk()
    await new QueueWorker(MAIL_QUEUE).drain()
    assert.isEmpty(rejections)
  })
})
