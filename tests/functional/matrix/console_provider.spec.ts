import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { SYSTEM } from '#audit/actor'
import { issueExternalCode } from '#auth/external/exchange_code'
import { canLinkByEmail } from '#auth/external/link_identity'
import User from '#models/user'
import { findOrCreateUserByIdentity } from '#users/find_or_create_user'
import { createProvider, deleteProvider } from '#settings/external_providers'
import { createUser, someEmail } from '#tests/support/fixtures'
import { allowLoopback } from '#tests/support/loopback'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from '../external/browser.ts'
import { LINKED, STATES } from './external_states.ts'

/*
 | A provider that was added in the console × every state of a user × how its identity came to
 | be. Its word on an address links nothing, and an administrator linked what signs them in.
 */

const NAME = 'console-provider'

const FROM = { ip: '127.0.0.1', userAgent: null }

const LINKS = [
  { role: 'User', isOwn: true, isUsable: true },
  { role: 'User', isOwn: false, isUsable: true },
  { role: 'Admin', isOwn: true, isUsable: true },
  { role: 'Admin', isOwn: false, isUsable: false },
]

test.group('Matrix | an identity of a provider of the console', (group) => {
  silenceSettingsMails(group)
  allowLoopback(group)
  let server: HostileProvider

  group.each.setup(async () => {
    server = await HostileProvider.onLoopback()
    const { issuer, clientId } = server
    await createProvider({ name: NAME, issuer, clientId, clientSecret: 'hunter2' }, SYSTEM)
  })
  group.each.teardown(async () => {
    await server.stop()
    await forgetSettings()
  })

  async function userIn(change: object, role = 'User') {
    const user = await createUser({ isVerified: true })
    await db
      .from('users')
      .where('id', user.id)
      .update({ role, ...change })
    return user
  }

  async function comeBack(email: string) {
    server.behaviour = { claims: { email, email_verified: true } }
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf(NAME))
    return (await response.json()) as any
  }

  async function link(user: { id: string }, linkedByOwner: boolean) {
    const { issuer, subject } = server
    const identity = { userId: user.id, provider: NAME, issuer, subject, email: null }
    return Identity.create({ ...identity, linkedByOwner })
  }

  test('the address of a user {state} links nothing')
    .with(STATES)
    .run(async ({ assert }, { change }) => {
      const user = await userIn(change)
      const body = await comeBack(user.email)
      assert.equal(body.code, 'E_IDENTITY_CONFLICT')
      assert.lengthOf(await Identity.query().where('user_id', user.id), 0)
    })

  test('what a user {state} linked answers {code}')
    .with(LINKED)
    .run(async ({ assert }, { change, code }) => {
      const user = await userIn(change)
      await link(user, true)
      const body = await comeBack(someEmail())
      assert.equal(body.code ?? null, code, JSON.stringify(body))
      assert.equal('accessToken' in body, code === null)
    })

  test('{role}, linked from the own account {isOwn}: signs in {isUsable}')
    .with(LINKS)
    .run(async ({ assert }, { role, isOwn, isUsable }) => {
      const user = await userIn({}, role)
      await link(user, isOwn)
      const body = await comeBack(someEmail())
      assert.equal('accessToken' in body, isUsable, JSON.stringify(body))
      assert.equal(body.code ?? null, isUsable ? null : 'E_IDENTITY_CONFLICT')
    })

  const identityOf = ({ issuer, subject }: HostileProvider) => ({
    provider: NAME,
    issuer,
    subject,
    email: null as string | null,
    emailVerified: true,
    name: null,
    picture: null,
    authenticatedAt: null,
  })

  test('no other provider links by the address that it told', async ({ assert }) => {
    const email = someEmail()
    const { accessToken } = await comeBack(email)
    assert.isString(accessToken)
    const elsewhere = { ...identityOf(server), provider: 'hostile', subject: randomUUID(), email }
    const error = await findOrCreateUserByIdentity(elsewhere, FROM).catch((caught) => caught)
    assert.equal(error.code, 'E_IDENTITY_CONFLICT')
  })

  test('a code of a provider that was removed is refused', async ({ assert, client }) => {
    const user = await userIn({})
    await link(user, true)
    const code = await issueExternalCode({
      user,
      identity: { ...identityOf(server), isLinked: true },
    })
    await deleteProvider(NAME, SYSTEM)
    const refused = await client.post('/auth/external/exchange').json({ code })
    assert.deepEqual([refused.status(), refused.body().code], [401, 'E_INVALID_CREDENTIALS'])
  })

  test('a removal while the provider answers links no address', async ({ assert }) => {
    const { id, email } = await userIn({}, 'Admin')
    await deleteProvider(NAME, SYSTEM)
    await assert.rejects(() => findOrCreateUserByIdentity({ ...identityOf(server), email }, FROM))
    const user = await User.findOrFail(id)
    assert.isFalse(canLinkByEmail(user, { ...identityOf(server), email }))
  })
})
