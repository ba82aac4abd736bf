import { test } from '@japa/runner'
import { E_RECENT_LOGIN_REQUIRED } from '#auth/errors'
import { SYSTEM, userActor, type Actor } from '#audit/actor'
import { listAuditEvents } from '#audit/trail/query'
import User from '#models/user'
import { E_EMAIL_TAKEN } from '#users/errors'
import { changeRole } from '#users/change_role'
import { disableUser, enableUser } from '#users/disable_user'
import { editUser, type UserEdit } from '#users/edit_user'
import { createAdmin, createUser, keyOf, signedIn, someEmail } from '#tests/support/fixtures'
import { storeStateOf } from '#tests/support/store_state'

async function changesOf({ id }: User) {
  const { events } = await listAuditEvents({ target: id }, { page: 1, limit: 10 })
  return events.map(({ action }) => action).sort()
}

/** Changes that are refused by a check after the end of the sessions. */
const REFUSED: { name: string; edit: () => Promise<UserEdit>; by: () => Promise<Actor> }[] = [
  {
    name: 'the address, of a key',
    edit: async () => ({ disabled: true, email: someEmail() }),
    by: async () => {
      const admin = await createAdmin()
      const { id: keyId } = await keyOf(admin, ['users:write'])
      return { ...actor(admin), keyId }
    },
  },
  {
    name: 'a taken address',
    edit: async () => {
      const { email } = await createUser()
      return { disabled: true, email }
    },
    by: async () => SYSTEM,
  },
  {
    name: 'a taken handle',
    edit: async () => {
      const { handle } = await createUser()
      return { role: 'Admin', handle: handle! }
    },
    by: async () => SYSTEM,
  },
]

test.group('Changes of a user | events', () => {
  test('each change of one edit is an event', async ({ assert }) => {
    const user = await createUser()
    const edit = { username: 'Eve', role: 'Admin', disabled: true, disabledReason: 'left' }
    await editUser(user.id, edit, SYSTEM)
    const events = await changesOf(user)
    assert.deepEqual(events, ['account.disabled', 'account.updated', 'role.changed'])
  })

  test('a refused edit changes and records nothing', async ({ assert }) => {
    const user = await createUser()
    const { email } = await createUser()
    const edit = { email, role: 'Admin', disabled: true }
    await assert.rejects(() => editUser(user.id, edit, SYSTEM), new E_EMAIL_TAKEN().message)
    const { role, isDisabled } = await User.findOrFail(user.id)
    assert.deepEqual([role, isDisabled, await changesOf(user)], ['User', false, []])
  })

  test('a refused edit ends no session: {name}')
    .with(REFUSED)
    .run(async ({ client, assert }, { edit, by }) => {
      const user = await createUser()
      await signedIn(client, user)
      const before = await storeStateOf(user)
      assert.lengthOf(before.sessions, 1)
      await assert.rejects(async () => editUser(user.id, await edit(), await by()))
      assert.deepEqual(await storeStateOf(user), before)
      assert.notIncludeMembers(await changesOf(user), ['account.disabled', 'role.changed'])
    })

  test('a user who is as asked already gets no event', async ({ assert }) => {
    const user = await createUser()
    await enableUser(user.id, SYSTEM)
    await changeRole(user.id, 'User', SYSTEM)
    await editUser(user.id, { role: 'User', disabled: false }, SYSTEM)
    assert.deepEqual(await changesOf(user), [])
  })

  test('another reason of a disabled user is kept without an event', async ({ assert }) => {
    const user = await createUser()
    await disableUser(user.id, { reason: 'left' }, SYSTEM)
    await disableUser(user.id, { reason: 'retired' }, SYSTEM)
    const { disabledReason } = await User.findOrFail(user.id)
    assert.equal(disabledReason, 'retired')
    assert.deepEqual(await changesOf(user), ['account.disabled'])
  })
})

test.group('Changes of a user | limits', () => {
  const VERBS = [
    { verb: 'disableUser', change: (id: string, by: User) => disableUser(id, {}, actor(by)) },
    { verb: 'changeRole', change: (id: string, by: User) => changeRole(id, 'User', actor(by)) },
  ]

  test('{verb} of an Admin needs reauthentication')
    .with(VERBS)
    .run(async ({ assert }, { change }) => {
      const [admin, other] = [await createAdmin(), await createAdmin()]
      await assert.rejects(() => change(other.id, admin), new E_RECENT_LOGIN_REQUIRED().message)
      assert.deepEqual(await changesOf(other), [])
    })

  test('another reason of a disabled Admin needs reauthentication', async ({ assert }) => {
    const [admin, other] = [await createAdmin(), await createAdmin()]
    await disableUser(other.id, { reason: 'fraud' }, SYSTEM)
    const change = () => disableUser(other.id, { reason: 'left' }, actor(admin))
    await assert.rejects(change, new E_RECENT_LOGIN_REQUIRED().message)
    await disableUser(other.id, { reason: 'fraud' }, actor(admin))
    const { disabledReason } = await User.findOrFail(other.id)
    assert.equal(disabledReason, 'fraud')
  })
})

function actor({ id }: User) {
  return userActor(id, { ip: '192.0.2.1', userAgent: null })
}
