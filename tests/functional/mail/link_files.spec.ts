import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { findLinkMailId } from '#mails/log/mail_file'
import { resetPassword } from '#users/password_recovery'
import { sendPasswordReset } from '#users/request_password_reset'
import { createUser } from '#tests/support/fixtures'
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

  test('is not offered once it was used', async ({ assert }) => {
    const user = await createUser()
    await sendPasswordReset(user, SYSTEM)
    const token = await mailedToken(user.email, 'password_reset')
    await resetPassword({ token, password: 'Another-h0rse!' }, HERE)
    assert.isNull(await findLinkMailId(user.email))
  })
})
