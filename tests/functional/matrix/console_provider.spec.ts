import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { SYSTEM } from '#audit/actor'
import external from '#config/external'
import { issueExternalCode } from '#auth/external/exchange_code'
import { canLinkByEmail, type ConfirmedIdentity } from '#auth/external/link_identity'
import { replaceBackupCodes } from '#auth/mfa/backup_codes'
import { openChallenge } from '#auth/mfa/challenge'
import { startSession } from '#auth/sessions/sessions'
import User from '#models/user'
import { findOrCreateUserByIdentity } from '#users/find_or_create_user'
import { linkIdentity } from '#users/identities'
import { createProvider, deleteProvider, updateProvider } from '#settings/external_providers'
import type { OidcSettings } from '#auth/external/provider'
import { createUser, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { allowLoopback } from '#tests/support/loopback'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from '../external/browser.ts'
import { bringInto, LINKED, STATES } from './external_states.ts'

/*
 | A provider that was added in the console × every state of a user × the origin of the identity.
 | Addresses from the provider link nothing; an administrator linked what signs them in.
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

  async function userIn(change: object | null, role = 'User') {
    const user = await createUser({ isVerified: true })
    await bringInto(user, change && { role, ...change })
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
      assert.equal(body.code, change ? 'E_IDENTITY_CONFLICT' : undefined)
      assert.lengthOf(await Identity.query().where('user_id', user.id), 0)
    })

  test('what a user {state} linked answers {code}')
    .with(LINKED)
    .run(async ({ assert }, { change, code }) => {
      const user = await userIn({})
      await link(user, true)
      await bringInto(user, change)
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
    isFromConsole: true as const,
  })

  test('the owner of an address that it told confirms by mail', async ({ assert }) => {
    const email = someEmail()
    const { user } = await comeBack(email)
    const { isEmailVerified } = await User.findOrFail(user.id)
    assert.isFalse(isEmailVerified)
    await deliverMails()
    const mails = await mailFilesOf(email)
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['email_verification']
    )
  })

  test('no other provider links by the address that it told, {after}')
    .with([
      { after: 'as it is', change: async () => {} },
      { after: 'linked again from the account', change: linkFromAccount },
      { after: 'unlinked', change: (id: string) => Identity.query().where('userId', id).delete() },
    ])
    .run(async ({ assert }, { change }) => {
      const email = someEmail()
      const { user } = await comeBack(email)
      await change(user.id)
      const elsewhere = { provider: 'hostile', subject: randomUUID(), isFromConsole: undefined }
      const identity = { ...identityOf(server), email, ...elsewhere }
      const error = await findOrCreateUserByIdentity(identity, FROM).catch((caught) => caught)
      assert.equal(error.code, 'E_IDENTITY_CONFLICT')
    })

  async function linkFromAccount(userId: string) {
    const device = { id: 'default', ip: FROM.ip, userAgent: null }
    const user = await User.findOrFail(userId)
    const { session } = await startSession(user, { device, method: NAME, amr: [] })
    await linkIdentity({ userId, sessionId: session.id }, identityOf(server), FROM)
  }

  /** After the next start, the environment has another provider with this name. */
  async function giveName() {
    const at = external.oidc.findIndex(({ name }) => name === NAME)
    const { isFromConsole, ...given } = external.oidc[at] as OidcSettings
    external.oidc[at] = { ...given, issuer: 'https://login.example' }
  }

  const CHANGES = [
    { change: 'is removed', act: () => deleteProvider(NAME, SYSTEM) },
    {
      change: 'gets another issuer',
      act: () =>
        updateProvider(NAME, { issuer: 'https://login.example', clientSecret: 'new' }, SYSTEM),
    },
    { change: 'leaves its name to the environment', act: giveName },
  ]

  const STEPS = [
    { path: '/auth/external/exchange', state: {} },
    { path: '/auth/mfa/verify', state: { mfa_enabled: true } },
  ]

  test('what waits at {path} is refused where the provider {change}')
    .with(CHANGES.flatMap((change) => STEPS.map((step) => ({ ...change, ...step }))))
    .run(async ({ assert, client }, { act, path, state }) => {
      const user = await userIn(state)
      await link(user, true)
      const identity = { ...identityOf(server), isLinked: true }
      const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
      const waiting =
        'mfa_enabled' in state
          ? { code, ...(await openMfa(user, identity)) }
          : { code: await issueExternalCode({ user, identity }) }
      await act()
      const request = client.post(path).header('x-forwarded-for', someAddress())
      const refused = await request.json(waiting)
      assert.deepEqual([refused.status(), refused.body().code], [401, 'E_INVALID_CREDENTIALS'])
    })

  async function openMfa({ id }: User, identity: ConfirmedIdentity) {
    const [user, device] = [await User.findOrFail(id), FROM]
    const { mfaToken } = await openChallenge({ user, method: NAME, identity, device })
    return { mfaToken }
  }

  test('a removal while the provider answers links no identity', async ({ assert }) => {
    const { id } = await userIn({})
    await deleteProvider(NAME, SYSTEM)
    const error = await linkFromAccount(id).catch((caught) => caught)
    assert.equal(error.code, 'E_NOT_FOUND')
    assert.lengthOf(await Identity.query().where('user_id', id), 0)
  })

  test('a removal while the provider answers links no address', async ({ assert }) => {
    const { id, email } = await userIn({}, 'Admin')
    await deleteProvider(NAME, SYSTEM)
    await assert.rejects(() => findOrCreateUserByIdentity({ ...identityOf(server), email }, FROM))
    const user = await User.findOrFail(id)
    assert.isFalse(canLinkByEmail(user, { ...identityOf(server), email }))
  })
})
