import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { encryptSecret } from '#auth/mfa/totp'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { createFirstAdmin } from '#users/first_admin'
import { resetPassword } from '#users/password_recovery'
import { updateUser } from '#users/update_user'
import { createUser, login, PASSWORD, someEmail } from '#tests/support/fixtures'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type User from '#models/user'

const RENEWED = 'Another-h0rse!'

/** Makes a user whose second factor was set up by the person who registered the address. */
async function enrolled(options = { isVerified: false }) {
  const user = await createUser(options)
  const secret = encryptSecret(user.id, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
  await db.from('users').where('id', user.id).update({ mfa_enabled: true, mfa_secret: secret })
  return user
}

async function prove(user: User, purpose: OneTimePurpose) {
  await user.refresh()
  const token = await db.transaction((trx) => issueOneTimeToken(user, { purpose }, trx))
  await resetPassword({ token, password: RENEWED }, { ip: '203.0.113.1', userAgent: null })
  await user.refresh()
}

test.group('Never verified address | proof', () => {
  test('a link of {purpose} removes the second factor')
    .with([{ purpose: 'password_reset' }, { purpose: 'invitation' }] as const)
    .run(async ({ client, assert }, { purpose }) => {
      const user = await enrolled()
      await prove(user, purpose)
      assert.isFalse(Boolean(user.mfaEnabled))
      const session = await login(client, { email: user.email, password: RENEWED })
      session.assertStatus(200)
      const where = { target_id: user.id, action: 'password.reset' }
      const event = await db.from('audit_events').where(where).first()
      assert.isTrue(JSON.parse(event.details).removedMfa)
      const proved = db.from('audit_events').where({ ...where, action: 'email.verified' })
      assert.lengthOf(await proved, 1)
    })

  test('a reset of a verified address keeps it', async ({ assert }) => {
    const user = await enrolled({ isVerified: true })
    await prove(user, 'password_reset')
    assert.isTrue(Boolean(user.mfaEnabled))
  })

  test('a reset of a replaced address keeps it', async ({ assert }) => {
    for (const isVerified of [true, false]) {
      const user = await enrolled({ isVerified })
      await updateUser(user.id, { email: someEmail() }, SYSTEM)
      await prove(user, 'password_reset')
      assert.isTrue(Boolean(user.mfaEnabled))
    }
  })
})

test.group('First administrator | address', () => {
  test('it counts as verified', async ({ assert }) => {
    await db.from('users').where('role', 'Admin').update({ role: 'User' })
    const newUser = { email: someEmail(), username: 'Grace', password: PASSWORD }
    const admin = await createFirstAdmin(newUser, 'operator', SYSTEM)
    await admin!.refresh()
    assert.isTrue(admin!.isEmailVerified)
  })
})
