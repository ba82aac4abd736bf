import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import mfa from '#config/mfa'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { requestPasswordReset } from '#users/request_password_reset'
import { createUser, keyOf, login, someAddress } from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { givePasskey, passkeyLogin } from '#tests/support/passkeys'
import { giveSecondFactor, outcomeOf } from '../matrix/sign_in_methods.ts'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const NOTHING = { removeIdentities: false, removeApiKeys: false, removePasskeys: false }
const ALL_LEFT = { identities: 1, keys: 1, passkeys: 1 }
const NEW_PASSWORD = 'Another-h0rse!'
const FROM = { ip: '203.0.113.7', userAgent: null }

/** Makes a user with another sign-in method of each kind, and the token of a reset. */
async function userWithMethods() {
  const user = await createUser()
  const subject = randomUUID()
  await Identity.create({ userId: user.id, provider: 'acme', issuer: 'acme', subject })
  const key = await keyOf(user)
  const { authenticator } = await givePasskey(user)
  await requestPasswordReset(user.email, FROM)
  return { user, key, authenticator, token: await mailedToken(user.email, 'password_reset') }
}

function reset(client: ApiClient, token: string, chosen: object) {
  const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
  return request.json({ token, newPassword: NEW_PASSWORD, ...chosen })
}

test.group('Reset link | other sign-in methods', () => {
  test('a reset with {name} leaves {identities}, {keys} and {passkeys}')
    .with([
      { ...ALL_LEFT, name: 'nothing chosen', chosen: {} },
      { ...ALL_LEFT, name: 'identities', chosen: { removeIdentities: true }, identities: 0 },
      { ...ALL_LEFT, name: 'keys', chosen: { removeApiKeys: true }, keys: 0 },
      { ...ALL_LEFT, name: 'passkeys', chosen: { removePasskeys: true }, passkeys: 0 },
      { ...ALL_LEFT, name: 'all refused', chosen: NOTHING },
    ])
    .run(async ({ client, assert }, { chosen, identities, keys, passkeys }) => {
      const { user, key, authenticator, token } = await userWithMethods()
      const response = await reset(client, token, chosen)
      response.assertStatus(200)
      assert.lengthOf(response.body().identities, identities)
      assert.lengthOf(response.body().apiKeys, keys)
      assert.lengthOf(response.body().passkeys, passkeys)
      assert.lengthOf(await Identity.ofUser(user.id), identities)
      const byKey = await client.get('/auth/profile').headers(key.headers)
      byKey.assertStatus(keys === 1 ? 200 : 401)
      const byPasskey = await passkeyLogin(client, authenticator)
      byPasskey.assertStatus(passkeys === 1 ? 200 : 401)
    })

  test('a temporary password removes and shows none', async ({ client, assert }) => {
    const { user, key } = await userWithMethods()
    const token = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'password_change' }, trx)
    )
    const page = await client.get('/reset-password').qs({ token })
    assert.notInclude(page.text(), 'Nightly report')
    const response = await reset(client, token, { removeIdentities: true, removeApiKeys: true })
    response.assertStatus(200)
    const { identities, passkeys, apiKeys } = response.body()
    assert.deepEqual(
      { identities, passkeys, apiKeys },
      { identities: [], passkeys: [], apiKeys: [] }
    )
    assert.lengthOf(await Identity.ofUser(user.id), 1)
    const byKey = await client.get('/auth/profile').headers(key.headers)
    byKey.assertStatus(200)
  })

  test('a temporary password lifts no lock', async ({ client, assert }) => {
    const user = await createUser()
    const token = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'password_change' }, trx)
    )
    for (let count = 1; count <= 5; count++)
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    const changed = await reset(client, token, {})
    changed.assertStatus(200)
    const response = await login(client, { email: user.email, password: NEW_PASSWORD })
    assert.equal(response.body().code, 'E_ACCOUNT_LOCKED')
    assert.isEmpty(await recordsWhere({ action: 'account.unlocked', target_id: user.id }))
  })

  test('the trail names what a reset removed', async ({ client, assert }) => {
    const { user, token } = await userWithMethods()
    const chosen = { removeIdentities: true, removeApiKeys: true, removePasskeys: true }
    await reset(client, token, chosen)
    const [event] = await recordsWhere({ target_id: user.id, action: 'password.reset' })
    assert.containSubset(event.details, { unlinked: ['acme'], revokedKeys: 1, removedPasskeys: 1 })
  })

  test('a refused token removes nothing', async ({ client, assert }) => {
    const { user } = await userWithMethods()
    const response = await reset(client, 'made-up', { removeIdentities: true })
    response.assertStatus(400)
    assert.lengthOf(await Identity.ofUser(user.id), 1)
  })

  test('the page lists them behind a live link only', async ({ client, assert }) => {
    const { token } = await userWithMethods()
    const page = await client.get('/reset-password').qs({ token })
    assert.include(page.text(), 'acme')
    assert.include(page.text(), 'Nightly report')
    assert.include(page.text(), 'Phone')
    const refused = await client.get('/reset-password').qs({ token: 'made-up' })
    assert.notInclude(refused.text(), 'acme')
  })

  test('the page removes what is ticked', async ({ client, assert }) => {
    const { user, key, authenticator, token } = await userWithMethods()
    const ticked = { removeIdentities: 'true', removeApiKeys: 'true', removePasskeys: 'true' }
    const page = await client
      .post('/reset-password')
      .header('x-forwarded-for', someAddress())
      .form({ token, password: NEW_PASSWORD, ...ticked })
    page.assertStatus(200)
    assert.lengthOf(await Identity.ofUser(user.id), 0)
    const byKey = await client.get('/auth/profile').headers(key.headers)
    byKey.assertStatus(401)
    const byPasskey = await passkeyLogin(client, authenticator)
    byPasskey.assertStatus(401)
  })
})

/** Makes a user with a passkey, optionally with one-time codes, and the token of a reset. */
async function userWithFactors(given: { role: string; isVerified: boolean; hasCodes: boolean }) {
  const { role, isVerified, hasCodes } = given
  const user = await createUser({ role, isVerified })
  await givePasskey(user)
  if (hasCodes) await giveSecondFactor(await user.refresh())
  await requestPasswordReset(user.email, FROM)
  return { user, token: await mailedToken(user.email, 'password_reset') }
}

const ASKED = '401 E_MFA_REQUIRED'
const VERIFIED = { isVerified: true, role: 'Admin', passkeys: 1, hasCodes: false, then: ASKED }
const UNVERIFIED = { ...VERIFIED, isVerified: false }
const USER = { role: 'User', passkeys: 0, then: '200' }

const KEPT = [
  { ...VERIFIED, name: 'an administrator without codes' },
  { ...UNVERIFIED, name: 'an unverified administrator without codes' },
  { ...VERIFIED, name: 'an administrator with codes', hasCodes: true, passkeys: 0 },
  { ...UNVERIFIED, name: 'an unverified administrator with codes', hasCodes: true, passkeys: 0 },
  { ...VERIFIED, ...USER, name: 'a user' },
  { ...UNVERIFIED, ...USER, name: 'an unverified user' },
  { ...UNVERIFIED, ...USER, name: 'an unverified user with codes', hasCodes: true },
]

test.group('Reset link | second factor that ADMIN_REQUIRE_MFA needs', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('{name} keeps {passkeys} passkeys and signs in with {then}')
    .with(KEPT)
    .run(async ({ client, assert }, { passkeys, then, ...given }) => {
      const { user, token } = await userWithFactors(given)
      const response = await reset(client, token, { removePasskeys: true })
      response.assertStatus(200)
      assert.lengthOf(response.body().passkeys, passkeys)
      const byPassword = await login(client, { email: user.email, password: NEW_PASSWORD })
      assert.equal(outcomeOf(byPassword), then)
    })

  test('the page offers to remove the passkeys of {name}: {isOffered}')
    .with([
      { ...VERIFIED, name: 'an administrator without codes', isOffered: false },
      { ...VERIFIED, name: 'an administrator with codes', hasCodes: true, isOffered: true },
      { ...VERIFIED, ...USER, name: 'a user', isOffered: true },
    ])
    .run(async ({ client, assert }, { isOffered, ...given }) => {
      const { token } = await userWithFactors(given)
      const page = await client.get('/reset-password').qs({ token })
      assert.include(page.text(), 'Phone')
      assert.equal(page.text().includes('name="removePasskeys"'), isOffered)
    })
})
