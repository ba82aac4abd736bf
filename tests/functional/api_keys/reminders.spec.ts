import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createKey } from '#auth/api_keys/create_key'
import { remindOfExpiringKeys } from '#auth/api_keys/reminders'
import { SYSTEM } from '#audit/actor'
import { createUser, keyOf } from '#tests/support/fixtures'
import { mailsTo } from '#tests/support/mail'
import type User from '#models/user'

const DAY_MS = 86_400_000

async function remindersOf(user: User) {
  const mails = await mailsTo(user.email)
  return mails.filter(({ kind }) => kind === 'api_key_expiring').length
}

test.group('API keys | reminder', (group) => {
  group.each.setup(async () => {
    await db.from('api_keys').update({ remind_at: null })
  })

  test('comes seven days before the end', async ({ assert }) => {
    freezeTime()
    const user = await createUser()
    await keyOf(user)
    timeTravel(83 * DAY_MS - 1)
    await remindOfExpiringKeys()
    const early = await remindersOf(user)
    timeTravel(1)
    await remindOfExpiringKeys()
    assert.equal(early, 0)
    assert.equal(await remindersOf(user), 1)
  })

  test('comes once, however many look at once', async ({ assert }) => {
    freezeTime()
    const user = await createUser()
    await keyOf(user)
    timeTravel(84 * DAY_MS)
    await Promise.all(Array.from({ length: 8 }, () => remindOfExpiringKeys()))
    await remindOfExpiringKeys()
    assert.equal(await remindersOf(user), 1)
  })

  test('does not come for {what}')
    .with([
      { what: 'a key of seven days', lifetime: 7 * DAY_MS, after: 1, change: {} },
      { what: 'an expired key', lifetime: 90 * DAY_MS, after: 90 * DAY_MS, change: {} },
      {
        what: 'a disabled user',
        lifetime: 90 * DAY_MS,
        after: 84 * DAY_MS,
        change: { disabled_at: 1 },
      },
    ])
    .run(async ({ assert }, { lifetime, after, change }) => {
      freezeTime()
      const user = await createUser()
      const newKey = { name: 'Report', scopes: ['profile:read' as const] }
      await createKey(user.id, { ...newKey, expiresAt: Date.now() + lifetime }, SYSTEM)
      await db
        .from('users')
        .where('id', user.id)
        .update({ role: 'User', ...change })
      timeTravel(after)
      await remindOfExpiringKeys()
      assert.equal(await remindersOf(user), 0)
    })
})
