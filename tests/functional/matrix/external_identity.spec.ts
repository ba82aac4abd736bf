import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import external from '#config/external'
import { issueExternalCode } from '#auth/external/exchange_code'
import { deleteUser } from '#users/delete_user'
import User from '#models/user'
import { replaceBackupCodes } from '#auth/mfa/backup_codes'
import { resetMfa } from '#users/reset_mfa'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, PASSWORD, someAddress } from '#tests/support/fixtures'
import { giveIdentities } from '#tests/support/identities'
import { mailedToken } from '#tests/support/mail'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from '../external/browser.ts'
import { bringInto, STATES } from './external_states.ts'

/*
 | A new identity with the verified address of a user × every state of that user × both ways to
 | complete an external login. It is linked when a session starts, and never before.
 */

const RETURN_TO = '?returnTo=http://app.gatehouse.test/welcome'

const WAYS = [
  { way: 'the callback', query: '' },
  { way: 'the exchange', query: RETURN_TO },
]

const CASES = STATES.flatMap((state) => WAYS.map((way) => ({ ...state, ...way })))

const IDENTITY_COUNTS = [
  { count: 19, code: null },
  { count: 20, code: 'E_IDENTITY_LIMIT' },
]

async function identitiesOf({ id }: { id: string }) {
  return db.from('identities').where('user_id', id)
}

test.group('Matrix | an identity of a verified address', (group) => {
  let hostile: HostileProvider
  group.each.setup(async () => {
    hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
    await hostile.start()
    return () => hostile.stop() as Promise<void>
  })

  async function verifiedUser(change: object | null = {}) {
    const user = await createUser({ isVerified: true })
    hostile.behaviour = { claims: { email: user.email, email_verified: true } }
    await bringInto(user, change && { role: 'User', ...change })
    return user
  }

  async function codeOf(browser: TestBrowser) {
    const callback = await browser.callbackOf('hostile', RETURN_TO)
    const response = await browser.request(callback)
    return new URL(response.headers.get('location')!).searchParams
  }

  function post(path: string, body: object) {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return new TestBrowser().request(path, init).then((response) => response.json() as any)
  }

  async function enter(query: string) {
    const browser = new TestBrowser()
    if (!query) {
      const response = await browser.request(await browser.callbackOf('hostile'))
      return response.json() as any
    }
    const onward = await codeOf(browser)
    if (onward.has('error')) return { code: onward.get('error') }
    return post('/auth/external/exchange', { code: onward.get('code') })
  }

  test('a user {state} at {way} answers {code}')
    .with(CASES)
    .run(async ({ assert }, { change, code, query }) => {
      const user = await verifiedUser(change)
      const body = await enter(query)
      assert.equal(body.code ?? null, code, JSON.stringify(body))
      assert.equal('accessToken' in body, code === null)
      assert.lengthOf(await identitiesOf(user), code === null && change ? 1 : 0)
    })

  test('a user with {count} identities at {way} answers {code}')
    .with(WAYS.flatMap((way) => IDENTITY_COUNTS.map((given) => ({ ...way, ...given }))))
    .run(async ({ assert }, { count, code, query }) => {
      const user = await verifiedUser()
      await giveIdentities(user, count)
      const body = await enter(query)
      const sessions = await listSessions(user.id)
      assert.equal(body.code ?? null, code, JSON.stringify(body))
      assert.lengthOf(sessions, code === null ? 1 : 0)
      assert.lengthOf(await identitiesOf(user), 20)
    })

  test('a user deleted before {step} gets {code}')
    .with([
      { step: 'the exchange', query: RETURN_TO, code: 'E_INVALID_TOKEN' },
      { step: 'the code of the second step', query: '', code: 'E_INVALID_MFA_TOKEN' },
    ])
    .run(async ({ assert }, { query, code }) => {
      const user = await verifiedUser(query ? {} : { mfa_enabled: true })
      const [right] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
      const begun = query ? await codeOf(new TestBrowser()) : await enter('')
      await deleteUser(user.id, SYSTEM)
      const body = query
        ? await post('/auth/external/exchange', { code: begun.get('code') })
        : await post('/auth/mfa/verify', { mfaToken: begun.mfaToken, code: right })
      assert.equal(body.code, code)
    })

  test('GitHub that is unset meanwhile links and signs in no user', async ({
    client,
    assert,
    cleanup,
  }) => {
    const user = await verifiedUser()
    const { url: issuer } = external.github!
    const who = { provider: 'github', issuer, subject: randomUUID(), email: user.email }
    const about = { emailVerified: true, name: null, picture: null, authenticatedAt: null }
    const identity = { ...who, ...about, isLinked: false }
    const code = await issueExternalCode({ user, identity })
    const { github } = external
    cleanup(() => void Object.assign(external, { github }))
    Object.assign(external, { github: null })
    const request = client.post('/auth/external/exchange')
    const refused = await request.header('x-forwarded-for', someAddress()).json({ code })
    assert.deepEqual([refused.status(), refused.body().code], [401, 'E_INVALID_CREDENTIALS'])
    assert.lengthOf(await identitiesOf(user), 0)
  })

  test('an MFA reset leaves no earlier identity', async ({ assert }) => {
    const user = await verifiedUser({ mfa_enabled: true })
    const { mfaToken } = await enter('')
    await resetMfa(user.id, SYSTEM)
    hostile.behaviour = { claims: { email: user.email, email_verified: false } }
    const later = await enter('')
    assert.isString(mfaToken)
    assert.equal(later.code, 'E_IDENTITY_CONFLICT')
    assert.lengthOf(await identitiesOf(user), 0)
  })

  test('the code of the second step links the identity', async ({ assert }) => {
    const user = await verifiedUser({ mfa_enabled: true })
    const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
    const { mfaToken } = await enter(RETURN_TO)
    const before = await identitiesOf(user)
    const body = await post('/auth/mfa/verify', { mfaToken, code })
    assert.lengthOf(before, 0)
    assert.equal(body.user.id, user.id)
    assert.lengthOf(await identitiesOf(user), 1)
  })

  test('{what} between the steps links nothing')
    .with([
      { what: 'another address', change: { email: 'moved@example.org' } },
      { what: 'an unverified address', change: { email_verified_at: null } },
    ])
    .run(async ({ assert }, { change }) => {
      const user = await verifiedUser({ mfa_enabled: true })
      const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
      const { mfaToken } = await enter('')
      await db.from('users').where('id', user.id).update(change)
      const body = await post('/auth/mfa/verify', { mfaToken, code })
      await User.query().where('id', user.id).delete()
      assert.equal(body.code, 'E_INVALID_CREDENTIALS')
    })

  test('an identity unlinked between the steps is refused', async ({ assert }) => {
    const user = await verifiedUser()
    await enter('')
    await db.from('users').where('id', user.id).update({ mfa_enabled: true })
    const [code] = await db.transaction((trx) => replaceBackupCodes(user.id, trx))
    const { mfaToken } = await enter('')
    await db.from('identities').where('user_id', user.id).delete()
    const body = await post('/auth/mfa/verify', { mfaToken, code })
    assert.equal(body.code, 'E_INVALID_CREDENTIALS')
    assert.lengthOf(await identitiesOf(user), 0)
  })

  test('a password reset ends an earlier code', async ({ client, assert }) => {
    const user = await verifiedUser()
    const onward = await codeOf(new TestBrowser())
    const address = someAddress()
    const forgot = client.post('/auth/forgot-password').header('x-forwarded-for', address)
    await forgot.json({ email: user.email })
    const token = await mailedToken(user.email, 'password_reset')
    const reset = client.post('/auth/reset-password').header('x-forwarded-for', address)
    await reset.json({ token, newPassword: `${PASSWORD}2` })
    const body = await post('/auth/external/exchange', { code: onward.get('code') })
    assert.equal(body.code, 'E_INVALID_TOKEN')
    assert.lengthOf(await identitiesOf(user), 0)
  })
})
