import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { hasTestedMail, sendTestMail } from '#mails/queue/test_mail'
import { createAdmin } from '#tests/support/fixtures'
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

  test('that became a file proves no mail server', async ({ assert }) => {
    assert.isFalse(await hasTestedMail())
  })
})
