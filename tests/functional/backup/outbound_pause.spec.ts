import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { CLIENT_QUEUE, LOGOUT_QUEUE, MAIL_QUEUE, OUTBOUND_QUEUES } from '#config/queue'
import { clientActor, keyActor, SYSTEM, userActor } from '#audit/actor'
import { OutboundCheck } from '#health/checks/outbound_check'
import { isOutboundPaused, pauseOutbound, resumeOutbound } from '#backup/outbound_pause'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, queuePasswordChangedMail } from '#tests/support/mail'

const pause = () =>
  db.transaction((trx) => pauseOutbound(trx, { reason: 'A backup was restored.' }))

async function queueNotice() {
  const user = await createUser({ password: null })
  await db.transaction((trx) => queuePasswordChangedMail(user, trx))
  return user.email
}

test.group('Outbound pause', (group) => {
  group.each.setup(() => {
    return async () => void (await resumeOutbound(SYSTEM))
  })

  test('mails wait, and go out after it', async ({ assert }) => {
    await deliverMails()
    await pause()
    const email = await queueNotice()
    await deliverMails()
    assert.lengthOf(await mailFilesOf(email), 0)
    await resumeOutbound(SYSTEM)
    await deliverMails()
    assert.lengthOf(await mailFilesOf(email), 1)
    const mail = await db.from('mails').where('recipient', email).first()
    assert.containSubset(mail, { status: 'sent', attempts: 1 })
  })

  test('rests what leaves the installation, and no deletion', async ({ assert }) => {
    assert.includeMembers(OUTBOUND_QUEUES, [MAIL_QUEUE, LOGOUT_QUEUE])
    assert.notInclude(OUTBOUND_QUEUES, CLIENT_QUEUE)
  })

  test('a pause that is rolled back pauses nothing', async ({ assert }) => {
    const trx = await db.transaction()
    await pauseOutbound(trx, { reason: 'A backup was restored.' })
    await trx.rollback()
    assert.isFalse(await isOutboundPaused())
  })

  test('holds from its commit on, and ends with its resumption', async ({ assert }) => {
    assert.isFalse(await isOutboundPaused())
    await pause()
    assert.isTrue(await isOutboundPaused())
    await resumeOutbound(SYSTEM)
    assert.isFalse(await isOutboundPaused())
  })

  test('a session resumes it after a recent authentication alone', async ({ assert }) => {
    const { id } = await createAdmin()
    const actor = userActor(id, { ip: '198.51.100.1', userAgent: null })
    const proved = { ...actor, hasRecentAuthentication: true }
    await pause()
    const refused = [actor, keyActor('key', proved), clientActor('grafana', proved)]
    for (const each of refused) await assert.rejects(() => resumeOutbound(each))
    assert.isTrue(await isOutboundPaused())
    await resumeOutbound(proved)
    assert.isFalse(await isOutboundPaused())
  })

  test('a second pause replaces the reason of the first', async ({ assert }) => {
    await pause()
    await db.transaction((trx) => pauseOutbound(trx, { reason: 'Another one was restored.' }))
    const rows = await db.from('outbound_pauses')
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      ['Another one was restored.']
    )
  })

  test('of resumptions at once one is recorded', async ({ assert }) => {
    await pause()
    const before = await countResumed()
    const resumed = await Promise.all([1, 2, 3].map(() => resumeOutbound(SYSTEM)))
    assert.sameMembers(resumed, [true, false, false])
    assert.equal(await countResumed(), before + 1)
  })

  test('doctor names it and the remedy', async ({ assert }) => {
    await pause()
    const { status, message, meta } = await new OutboundCheck().run()
    assert.equal(status, 'warning')
    assert.match(message, /^paused since [\d-]{10} \d\d:\d\d UTC: A backup was restored\.$/)
    assert.include(meta!.remedy, 'backup:resume')
    await resumeOutbound(SYSTEM)
    const resumed = await new OutboundCheck().run()
    assert.equal(resumed.status, 'ok')
  })
})

async function countResumed() {
  const events = await db.from('audit_events').where('action', 'backup.resumed')
  return events.length
}
