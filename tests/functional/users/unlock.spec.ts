import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { lockUser, unlockUser } from '#users/lock_user'
import { createAdmin, createUser, knownDevice, login, signedIn } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

type Attempt = { deviceId?: string; deviceToken?: string }

async function fail(client: ApiClient, user: User, count: number, device: Attempt = {}) {
  for (let failures = 0; failures < count; failures++) {
    await login(client, { email: user.email, password: 'Wrong-h0rse!', ...device })
  }
}

const unlockEvents = (id: string) => recordsWhere({ target_id: id, action: 'account.unlocked' })

test.group('Unlock | event', () => {
  const LOCKS = [
    {
      name: 'by an administrator',
      lock: (user: User) => lockUser(user.id, Date.now() + 60_000, SYSTEM),
    },
    {
      name: 'by failures',
      lock: (user: User, client: ApiClient) => fail(client, user, 5),
    },
    {
      name: 'of a known device',
      lock: async (user: User, client: ApiClient) => {
        const device = await knownDevice(client, user)
        await fail(client, user, 5, device)
      },
    },
    {
      name: 'of codes',
      lock: (user: User) =>
        db
          .from('users')
          .where('id', user.id)
          .update({ mfa_locked_until: Date.now() + 60_000 }),
    },
  ]

  test('a lock {name} that is lifted is one event')
    .with(LOCKS)
    .run(async ({ client, assert }, { lock }) => {
      const user = await createUser()
      await lock(user, client)
      await unlockUser(user.id, SYSTEM)
      await unlockUser(user.id, SYSTEM)
      assert.lengthOf(await unlockEvents(user.id), 1)
    })

  const UNLOCKED = [
    { name: 'never failed', prepare: async () => {} },
    {
      name: 'failed four times',
      prepare: (user: User, client: ApiClient) => fail(client, user, 4),
    },
    {
      name: 'was locked until a moment ago',
      prepare: (user: User) =>
        db
          .from('users')
          .where('id', user.id)
          .update({ locked_until: Date.now() - 1, lock_kind: 'failures' }),
    },
  ]

  test('a user who {name} leaves none')
    .with(UNLOCKED)
    .run(async ({ client, assert }, { prepare }) => {
      const [user, admin] = [await createUser(), await createAdmin()]
      await prepare(user, client)
      const { headers } = await signedIn(client, admin)
      const response = await client.post(`/users/${user.id}/unlock`).headers(headers)
      response.assertStatus(200)
      assert.isEmpty(await unlockEvents(user.id))
      await fail(client, user, 4)
      await signedIn(client, user)
    })
})
