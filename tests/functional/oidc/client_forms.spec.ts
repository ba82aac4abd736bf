import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '#audit/actor'
import { endSession, listSessions } from '#auth/sessions/sessions'
import { createClient, deleteClient, rotateSecret } from '#oidc/clients/clients'
import { findClientById } from '#oidc/clients/client_rows'
import { isSecretOf } from '#oidc/clients/secrets'
import { countSessionsWith } from '#oidc/grants/end_grants'
import { lastGrantTimes } from '#oidc/records/grant_rows'
import { createUser } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'
import { application, browserOf, tokensOf } from '#tests/support/oidc'

/* What the console does with clients in addition to the API: counts, and forms sent twice. */

const TEN = Array.from({ length: 10 })
const newSeed = () => randomBytes(32).toString('base64url')
const newForm = () => ({ id: uuidv7(), seed: newSeed() })
const IS_ABOUT_CLIENTS = (query: any) => query.where('action', 'like', 'client.%')
const settings = () => ({ name: `Wiki ${newSeed()}`, redirectUris: ['https://w.example.org/cb'] })

async function actionsOn(clientId: string) {
  const records = await recordsWhere(IS_ABOUT_CLIENTS)
  return records.filter(({ details }) => details.clientId === clientId).map(({ action }) => action)
}

test.group('OAuth clients | forms', () => {
  test('one sent ten times registers one client', async ({ assert }) => {
    const [form, given] = [newForm(), settings()]
    const made = await Promise.all(TEN.map(() => createClient(given, SYSTEM, form)))
    const [{ client, clientSecret }] = made
    assert.lengthOf([...new Set(made.map((each) => each.client.clientId))], 1)
    assert.lengthOf([...new Set(made.map((each) => each.clientSecret))], 1)
    assert.isTrue(isSecretOf(client, clientSecret!))
    assert.deepEqual(await actionsOn(client.clientId), ['client.created'])
  })

  test('one that is sent after a rotation shows no secret', async ({ assert }) => {
    const [form, given] = [newForm(), settings()]
    const { client } = await createClient(given, SYSTEM, form)
    await rotateSecret(client.id, SYSTEM)
    const again = await createClient(given, SYSTEM, form)
    assert.deepEqual([again.client.id, again.clientSecret], [client.id, null])
  })

  test('one sent ten times rotates once', async ({ assert }) => {
    const { client, clientSecret } = await createClient(settings(), SYSTEM)
    const seed = newSeed()
    const rotated = await Promise.all(TEN.map(() => rotateSecret(client.id, SYSTEM, { seed })))
    const stored = (await findClientById(client.id))!
    assert.lengthOf([...new Set(rotated.map((each) => each.clientSecret))], 1)
    assert.isTrue(isSecretOf(stored, rotated[0].clientSecret!))
    assert.isTrue(isSecretOf(stored, clientSecret!))
    assert.deepEqual(await actionsOn(client.clientId), ['client.created', 'client.secret_rotated'])
  })

  test('an earlier form brings no former secret back', async ({ assert }) => {
    const { client } = await createClient(settings(), SYSTEM)
    const seed = newSeed()
    const former = await rotateSecret(client.id, SYSTEM, { seed })
    await rotateSecret(client.id, SYSTEM)
    const again = await rotateSecret(client.id, SYSTEM, { seed })
    assert.notEqual(again.clientSecret, former.clientSecret)
  })
})

test.group('OAuth clients | counts', () => {
  test('live sessions count, ended ones do not', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(user)
    const before = await listSessions(user.id)
    await tokensOf(app, browser)
    await tokensOf(app, await browserOf(await createUser()))
    const two = await countSessionsWith(app.client.clientId)
    const after = await listSessions(user.id)
    const grant = after.find(({ id }) => before.every((each) => each.id !== id))!
    await endSession(user.id, grant.id)
    const one = await countSessionsWith(app.client.clientId)
    assert.deepEqual(
      [two, one],
      [
        { count: 2, isExact: true },
        { count: 1, isExact: true },
      ]
    )
  })

  test('a client knows when somebody signed in last', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const unused = await application()
    await tokensOf(app, await browserOf(await createUser()))
    const ids = [app.client.clientId, unused.client.clientId]
    const times = await lastGrantTimes(ids)
    assert.closeTo(times.get(app.client.clientId)!, Date.now(), 60_000)
    assert.isFalse(times.has(unused.client.clientId))
    await deleteClient(app.client.id, SYSTEM)
    const afterwards = await lastGrantTimes(ids)
    assert.isFalse(afterwards.has(app.client.clientId))
  })
})
