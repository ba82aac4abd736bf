import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM, userActor } from '#audit/actor'
import { endSessionAs } from '#auth/sessions/end_session'
import { endSessions, listSessions } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { createGroup, updateGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { deleteUser } from '#users/delete_user'
import { updateUser } from '#users/update_user'
import { createUser, login, signedIn } from '#tests/support/fixtures'
import { toldOf } from '#tests/support/webhooks'

const FROM = { ip: '203.0.113.9', userAgent: 'Firefox' }

async function rowOf(action: string, targetId: string) {
  const about = { action, target_id: targetId }
  return db.from('audit_events').where(about).orderBy('id', 'desc').firstOrFail()
}

const dataOf = async (action: string, targetId: string) => {
  const told = await toldOf(await rowOf(action, targetId))
  return told!.data
}

test.group('Webhooks | bodies', () => {
  test('an erased user is an id', async ({ client, assert }) => {
    const user = await createUser({ username: 'Ada Lovelace' })
    await signedIn(client, user)
    const [{ id }] = await listSessions(user.id)
    await endSessionAs(user.id, id, userActor(user.id, FROM))
    const before = await dataOf('session.ended', user.id)
    assert.deepEqual(before.user, { id: user.id, email: user.email })
    await deleteUser(user.id, SYSTEM)
    for (const action of ['login.succeeded', 'session.ended', 'account.deleted']) {
      const data = await dataOf(action, user.id)
      assert.deepEqual(data.user, { id: user.id }, action)
      const text = JSON.stringify(data)
      for (const personal of [user.email, 'Ada', '203.0.113']) assert.notInclude(text, personal)
    }
    const { sessionIds } = await dataOf('session.ended', user.id)
    assert.deepEqual(sessionIds, before.sessionIds)
  })

  test('a body has the address and the name of now', async ({ assert }) => {
    const user = await createUser()
    const group = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    await addMember(user.id, group.id, SYSTEM)
    const name = `Board ${randomUUID()}`
    await updateGroup(group.id, { name }, SYSTEM)
    const { group: told } = await dataOf('group.member_added', user.id)
    assert.deepEqual(told, { id: group.id, name })
  })

  test('a change names its fields and no value', async ({ assert }) => {
    const user = await createUser()
    const changes = { username: 'Grace', metadata: { secret: 'of the user' } }
    await updateUser(user.id, changes, SYSTEM)
    const data = await dataOf('account.updated', user.id)
    assert.sameMembers(data.changed!, ['username', 'metadata'])
    assert.notInclude(JSON.stringify(data), 'Grace')
  })

  test('an event of a subscriber leaves the ended sessions to their cause', async ({
    client,
    assert,
  }) => {
    const user = await createUser()
    await signedIn(client, user)
    const [{ id }] = await listSessions(user.id)
    const say = { userId: user.id, provider: 'acme', groups: [`staff ${randomUUID()}`] }
    await db.transaction(async (trx) => {
      await setProvidedGroups({ ...say, actor: SYSTEM }, trx)
      await endSessions(user.id, { trx })
      const provider = { provider: say.provider }
      await record(trx, { type: 'identity.removed', user, context: provider })
      await record(trx, { type: 'account.disabled', user, actor: SYSTEM, details: {} })
    })
    const left = await dataOf('group.member_removed', user.id)
    const { sessionIds } = await dataOf('account.disabled', user.id)
    assert.deepEqual([left.sessionIds, sessionIds], [undefined, [id]])
  })

  test('someone who is not signed in is a user without an id', async ({ client, assert }) => {
    const user = await createUser()
    await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    const { actor, reason } = await dataOf('login.failed', user.id)
    assert.deepEqual([actor, reason], [{ kind: 'user', id: null }, 'password'])
  })
})
