import { test } from '@japa/runner'
import { clientActor, keyActor, SYSTEM, userActor } from '#audit/actor'
import { findLinkMailId, readMailFile } from '#mails/log/mail_file'
import { resetPassword } from '#users/password_recovery'
import { sendPasswordReset } from '#users/request_password_reset'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { deliverMails, mailedToken } from '#tests/support/mail'

const HERE = { ip: '192.0.2.1', userAgent: null }

test.group('Mail files | link of a reset', () => {
  test('is offered while it works', async ({ assert }) => {
    const user = await createUser()
    assert.isNull(await findLinkMailId(user.email))
    await sendPasswordReset(user, SYSTEM)
    assert.isNotNull(await findLinkMailId(user.email))
    await deliverMails()
    assert.isNotNull(await findLinkMailId(user.email))
  })

  test('is read after a recent authentication alone', async ({ assert }) => {
    const user = await createUser()
    await sendPasswordReset(user, SYSTEM)
    await mailedToken(user.email, 'password_reset')
    const id = (await findLinkMailId(user.email))!
    const admin = await createAdmin()
    const actor = userActor(admin.id, HERE)
    const proved = { ...actor, hasRecentAuthentication: true }
    for (const each of [actor, keyActor('key', proved), clientActor('grafana', proved)])
      await assert.rejects(() => readMailFile(id, each))
    const mail = await readMailFile(id, proved)
    assert.include(mail?.link, 'token=')
  })

  test('is not offered once it was used', async ({ assert }) => {
    const user = await createUser()
    await sendPasswordReset(user, SYSTEM)
    const token = await mailedToken(user.email, 'password_reset')
    await resetPassword({ token, password: 'Another-h0rse!' }, HERE)
    assert.isNull(await findLinkMailId(user.email))
  })
})
