import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM, userActor } from '#audit/actor'
import { E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { hasTestedMail, sendTestMail } from '#mails/queue/test_mail'
import { createAdmin } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import { deliverMails, mailFilesOf } from '#tests/support/mail'

test.group('Test mail', () => {
  test('reaches the administrator and is recorded', async ({ assert }) => {
    const admin = await createAdmin({ isVerified: true })
    await sendTestMail(admin, SYSTEM)
    await deliverMails()
    const [mail] = await mailFilesOf(admin.email)
    assert.equal(mail.subject, 'Test mail')
    const events = await db.from('audit_events').where('target_id', admin.id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['mail.tested']
    )
  })

  test('is refused beyond the tests of an hour', async ({ assert }) => {
    setLimit(limits.settingsTest, 2)
    const admin = await createAdmin({ isVerified: true })
    const actor = userActor(admin.id, { ip: null, userAgent: null })
    await sendTestMail(admin, actor)
    await sendTestMail(admin, actor)
    await assert.rejects(() => sendTestMail(admin, actor), E_TOO_MANY_REQUESTS)
    await deliverMails()
    assert.lengthOf(await mailFilesOf(admin.email), 2)
  })

  test('that became a file proves no mail server', async ({ assert }) => {
    assert.isFalse(await hasTestedMail())
  })
})
