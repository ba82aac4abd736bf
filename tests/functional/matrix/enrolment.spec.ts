import { test } from '@japa/runner'
import { authorizationCodeGrant, refreshTokenGrant } from 'openid-client'
import mfa from '#config/mfa'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { addServiceAccount } from '#users/service_accounts'
import { requestPasswordReset } from '#users/request_password_reset'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { SYSTEM } from '#audit/actor'
import {
  bearer,
  createAdmin,
  createUser,
  keyOf,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import { mailedToken } from '#tests/support/mail'
import { givePasskey, loginOptions, passkeyLogin } from '#tests/support/passkeys'
import { person, textOf } from '../account/person.ts'
import { giveSecondFactor, outcomeOf } from './sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | `ADMIN_REQUIRE_MFA` × routes of the API, for an administrator before and after the
 | enrolment, whose session was proved by one factor or by two, and for a user. The console's pages are in tests/browser/second_factor.spec.ts.
 */

interface Caller {
  client: ApiClient
  caller: User
  other: User
  headers: Record<string, string>
}

const REQUIRED = '403 E_MFA_ENROLMENT_REQUIRED'
const FORBIDDEN = '403 E_FORBIDDEN'
const UNKNOWN_ROLE = '400 E_VALIDATION_ERROR'

/** The session is older than the enrolment. */
const UNPROVED = '403 E_RECENT_LOGIN_REQUIRED'

type Request = (given: Caller) => Promise<Parameters<typeof outcomeOf>[0]>

const get =
  (path: string): Request =>
  ({ client, headers }) =>
    client.get(path).headers(headers)

/** The outcomes for each of the callers. */
const ROUTES: Record<string, { request: Request; outcomes: [string, string, string, string] }> = {
  'the list': { request: get('/users'), outcomes: [REQUIRED, REQUIRED, '200', FORBIDDEN] },
  'the trail': { request: get('/audit-events'), outcomes: [REQUIRED, REQUIRED, '200', FORBIDDEN] },
  'another user': {
    request: ({ client, other, headers }) => client.get(`/users/${other.id}`).headers(headers),
    outcomes: [REQUIRED, REQUIRED, '200', FORBIDDEN],
  },
  'a change of another user': {
    request: ({ client, other, headers }) =>
      client.put(`/users/${other.id}`).headers(headers).json({ username: 'Eve' }),
    outcomes: [REQUIRED, REQUIRED, '200', FORBIDDEN],
  },
  'a lock': {
    request: ({ client, other, headers }) =>
      client.post(`/users/${other.id}/lock`).headers(headers),
    outcomes: [REQUIRED, REQUIRED, '200', FORBIDDEN],
  },
  'the own role': {
    request: ({ client, caller, headers }) =>
      client.put(`/users/${caller.id}`).headers(headers).json({ role: 'Editor' }),
    outcomes: [REQUIRED, REQUIRED, UNKNOWN_ROLE, FORBIDDEN],
  },
  'the own record': {
    request: ({ client, caller, headers }) => client.get(`/users/${caller.id}`).headers(headers),
    outcomes: ['200', '200', '200', '200'],
  },
  'a change of the own name': {
    request: ({ client, caller, headers }) =>
      client.put(`/users/${caller.id}`).headers(headers).json({ username: 'Eve' }),
    outcomes: ['200', '200', '200', '200'],
  },
  'the profile': { request: get('/auth/profile'), outcomes: ['200', '200', '200', '200'] },
  'the own sessions': { request: get('/auth/sessions'), outcomes: ['200', '200', '200', '200'] },
  'the enrolment': {
    request: ({ client, headers }) =>
      client.post('/auth/mfa/setup').headers(headers).json({ currentPassword: PASSWORD }),
    outcomes: ['200', UNPROVED, '409 E_MFA_ENABLED', '200'],
  },
}

const CALLERS = [
  'an administrator to enrol',
  'an enrolled administrator of one factor',
  'an enrolled administrator',
  'a user',
]

async function sessionOf(client: ApiClient, caller: User, who: string) {
  if (who === 'an enrolled administrator') return signedInByCode(client, caller)
  const { headers } = await signedIn(client, caller)
  if (who === 'an enrolled administrator of one factor') await giveSecondFactor(caller)
  return headers
}

async function signedInByCode(client: ApiClient, { email, id }: User) {
  const code = await giveSecondFactor(await User.findOrFail(id))
  const response = await signInWith(client, { email, code })
  return bearer(response.body().accessToken)
}

function signInWith(client: ApiClient, credentials: { email: string; code?: string }) {
  const request = client.post('/auth/login').header('x-forwarded-for', someAddress())
  return request.json({ password: PASSWORD, ...credentials })
}

function roleOf(accessToken: string) {
  const [, claims] = accessToken.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).role
}

const CELLS = Object.entries(ROUTES).flatMap(([route, { outcomes }]) =>
  CALLERS.map((who, index) => ({ route, who, outcome: outcomes[index] }))
)

test.group('Matrix | required MFA by route', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('{route} for {who}: {outcome}')
    .with(CELLS)
    .run(async ({ client, assert }, { route, who, outcome }) => {
      const caller = await (who === 'a user' ? createUser() : createAdmin())
      await createAdmin()
      const headers = await sessionOf(client, caller, who)
      const other = await createUser()
      const response = await ROUTES[route].request({ client, caller, other, headers })
      assert.equal(outcomeOf(response), outcome)
    })

  test('introspection by the key of {who}: {outcome}')
    .with([
      { who: 'an administrator to enrol', outcome: REQUIRED },
      { who: 'an enrolled administrator', outcome: '200' },
      { who: 'a service account', outcome: '200' },
    ])
    .run(async ({ client, assert }, { who, outcome }) => {
      const isService = who === 'a service account'
      const owner = await (isService
        ? addServiceAccount({ username: 'Robot' }, SYSTEM)
        : createAdmin())
      if (who === 'an enrolled administrator') await giveSecondFactor(owner)
      const { headers } = await keyOf(owner, ['tokens:introspect'])
      const response = await client.post('/oauth/introspect').headers(headers).form({ token: 'x' })
      assert.equal(outcomeOf(response), outcome)
    })

  test('a passkey is enough by which the session was proved', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    const outcomes = [outcomeOf(await client.get('/users').headers(headers))]
    const { id, authenticator } = await givePasskey(admin)
    const before = await client.get('/users').headers(headers)
    outcomes.push(outcomeOf(before))
    assert.match(before.body().message, /sign in again/)
    const signedInAgain = await passkeyLogin(client, authenticator)
    const byPasskey = bearer(signedInAgain.body().accessToken)
    outcomes.push(outcomeOf(await client.get('/users').headers(byPasskey)))
    await removePasskey(admin.id, { id }, SYSTEM)
    outcomes.push(outcomeOf(await client.get('/users').headers(byPasskey)))
    assert.deepEqual(outcomes, [REQUIRED, REQUIRED, '200', '401 E_TOKEN_REVOKED'])
  })

  test('tokens of {who} carry the role {role}')
    .with([
      { who: 'an administrator to enrol', role: 'User' },
      { who: 'an enrolled administrator', role: 'Admin' },
    ])
    .run(async ({ client, assert }, { role }) => {
      const admin = await createAdmin()
      const code = role === 'Admin' ? await giveSecondFactor(admin) : undefined
      const response = await signInWith(client, { email: admin.email, code })
      const { refreshToken, ...signIn } = response.body()
      const refreshed = await client.post('/auth/refresh').json({ refreshToken })
      const tokens = [signIn.accessToken, refreshed.body().accessToken]
      assert.deepEqual([...tokens.map(roleOf), signIn.user.role], [role, role, 'Admin'])
    })

  test('removing the factor closes the routes at once', async ({ client, assert }) => {
    const admin = await createAdmin()
    const headers = await signedInByCode(client, admin)
    const before = await client.get('/users').headers(headers)
    await db.from('users').where('id', admin.id).update({ mfa_enabled: false })
    const after = await client.get('/users').headers(headers)
    assert.deepEqual([outcomeOf(before), outcomeOf(after)], ['200', REQUIRED])
  })
})

test.group('Required MFA | sign-in by password of an administrator with a passkey', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  async function challenged(client: ApiClient) {
    const admin = await createAdmin()
    const { authenticator } = await givePasskey(admin)
    const response = await login(client, { email: admin.email })
    return { admin, authenticator, response, mfaToken: response.body().mfaToken }
  }

  const verify = (client: ApiClient, body: object) =>
    client.post('/auth/mfa/verify').header('x-forwarded-for', someAddress()).json(body)

  test('asks for the passkey, which opens the routes', async ({ client, assert }) => {
    const { authenticator, response, mfaToken } = await challenged(client)
    assert.equal(outcomeOf(response), '401 E_MFA_REQUIRED')
    const passkey = authenticator.get(await loginOptions(client))
    const second = await verify(client, { mfaToken, passkey })
    const listed = await client.get('/users').headers(bearer(second.body().accessToken))
    listed.assertStatus(200)
  })

  test('asks for it after a reset by mail that removes passkeys', async ({ client, assert }) => {
    const { admin } = await challenged(client)
    await requestPasswordReset(admin.email, { ip: someAddress(), userAgent: null })
    const token = await mailedToken(admin.email, 'password_reset')
    const newPassword = 'Another-h0rse!'
    const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
    await request.json({ token, newPassword, removePasskeys: true })
    const response = await login(client, { email: admin.email, password: newPassword })
    assert.equal(outcomeOf(response), '401 E_MFA_REQUIRED')
  })

  test('takes no code', async ({ client, assert }) => {
    const { mfaToken } = await challenged(client)
    const second = await verify(client, { mfaToken, code: '123456' })
    assert.equal(outcomeOf(second), '401 E_INVALID_CODE')
  })

  test('takes no code beside the password', async ({ client, assert }) => {
    const { admin } = await challenged(client)
    const request = client.post('/auth/login').header('x-forwarded-for', someAddress())
    const response = await request.json({ email: admin.email, password: PASSWORD, code: '123456' })
    assert.equal(outcomeOf(response), '401 E_MFA_REQUIRED')
  })

  test('asks nothing more of a user', async ({ client }) => {
    const user = await createUser()
    await givePasskey(user)
    const response = await login(client, { email: user.email })
    response.assertStatus(200)
  })

  test('asks nothing more without the setting', async ({ client }) => {
    mfa.isRequiredOfAdmins = false
    const { response } = await challenged(client)
    mfa.isRequiredOfAdmins = true
    response.assertStatus(200)
  })
})

test.group('Required MFA | pages', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('the console leads a session of one factor to the confirmation', async ({ assert }) => {
    const admin = await createAdmin()
    const browser = await browserOf(admin)
    await giveSecondFactor(admin)
    const page = await browser.open(new URL('/admin/users', browser.issuer))
    assert.equal(page.url.pathname, '/confirm')
    assert.include(page.html, 'name="code"')
  })

  test('the console takes the passkey of who has no code', async ({ assert }) => {
    const admin = await createAdmin()
    const browser = await browserOf(admin)
    await givePasskey(admin)
    const page = await browser.open(new URL('/admin/users', browser.issuer))
    assert.include(page.html, 'confirm with a passkey')
    assert.notInclude(page.html, 'name="password"')
  })

  test('an application waits for {what}')
    .with([
      { what: 'the enrolment', factor: 'none', text: 'Two-step verification needed' },
      { what: 'the code', factor: 'code', text: 'name="code"' },
      { what: 'the passkey', factor: 'passkey', text: 'confirm with a passkey' },
    ])
    .run(async ({ assert }, { factor, text }) => {
      const admin = await createAdmin()
      const browser = await browserOf(admin)
      if (factor === 'code') await giveSecondFactor(admin)
      if (factor === 'passkey') await givePasskey(admin)
      const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
      const page = await browser.open(url)
      assert.isNull(page.url.searchParams.get('code'))
      assert.include(page.html, text)
    })

  test('an application signs {who} in')
    .with([
      { who: 'an administrator of two factors', role: 'Admin' },
      { who: 'a user of one factor', role: 'User' },
    ])
    .run(async ({ assert }, { role }) => {
      const user = await createUser({ role })
      const amr = role === 'Admin' ? ['pwd', 'otp', 'mfa'] : ['pwd']
      const browser = await browserOf(user, { method: 'password', amr })
      const tokens = await tokensOf(await application({ kind: 'first_party' }), browser)
      assert.isString(tokens.id_token)
    })

  test('an application that asks without a page learns nothing', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    const app = await application({ kind: 'first_party' })
    const { url } = await authorizationRequest(app, { prompt: 'none' })
    const answer = await browser.open(url)
    assert.equal(answer.url.searchParams.get('error'), 'login_required')
  })
})

/** Changes that a thief of the password would make, and that only a passkey can prove. */
const BY_PASSWORD_ALONE: Record<string, (given: Omit<Caller, 'other'>) => ReturnType<Request>> = {
  'an API key': ({ client, headers }) =>
    client
      .post('/auth/api-keys')
      .headers(headers)
      .json({ ...KEY, currentPassword: PASSWORD }),
  'another passkey': ({ client, headers }) =>
    client
      .post('/auth/passkeys/registration-options')
      .headers(headers)
      .json({ currentPassword: PASSWORD }),
  'another address': ({ client, headers }) =>
    client
      .put('/auth/profile')
      .headers(headers)
      .json({ email: someEmail(), currentPassword: PASSWORD }),
  'the deletion': ({ client, headers }) =>
    client.delete('/auth/account').headers(headers).json({ currentPassword: PASSWORD }),
}

const KEY = { name: 'Report', scopes: ['users:read', 'users:write'] }

test.group('Required MFA | session of one factor', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('and the password are no proof of an administrator with a passkey: {$self}')
    .with(Object.keys(BY_PASSWORD_ALONE))
    .run(async ({ client, assert }, change) => {
      const [caller] = [await createAdmin(), await createAdmin()]
      const { headers } = await signedIn(client, caller)
      await givePasskey(caller)
      const response = await BY_PASSWORD_ALONE[change]({ client, caller, headers })
      assert.equal(outcomeOf(response), UNPROVED)
    })

  test('of an administrator to enrol makes no key', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const response = await client.post('/auth/api-keys').headers(headers).json(KEY)
    assert.equal(outcomeOf(response), REQUIRED)
  })

  test('by the passkey makes a key', async ({ client }) => {
    const { authenticator } = await givePasskey(await createAdmin())
    const signedInBy = await passkeyLogin(client, authenticator)
    const headers = bearer(signedInBy.body().accessToken)
    const response = await client.post('/auth/api-keys').headers(headers).json(KEY)
    response.assertStatus(201)
  })

  test('of a user makes a key', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const key = { name: 'Report', scopes: ['profile:read'] }
    const response = await client.post('/auth/api-keys').headers(headers).json(key)
    response.assertStatus(201)
  })

  test('is asked for the passkey and never for the password', async ({ assert }) => {
    const admin = await createAdmin()
    await givePasskey(admin)
    const session = { method: 'password', amr: ['pwd', 'hwk', 'user', 'mfa'] }
    const { browser } = await person({ user: admin, session, isOld: true })
    const page = await textOf(browser.submit('/account', {}, '/account/data/export'))
    assert.include(page, 'confirm with a passkey')
  })
})

test.group('Required MFA | application that had signed in by one factor', (group) => {
  group.each.setup(() => () => {
    mfa.isRequiredOfAdmins = false
  })

  async function signedInBefore() {
    const admin = await createAdmin()
    const browser = await browserOf(admin)
    const app = await application({ kind: 'first_party' })
    const scope = 'openid profile offline_access'
    const tokens = await tokensOf(app, browser, { scope })
    mfa.isRequiredOfAdmins = true
    return { admin, app, browser, tokens, scope }
  }

  test('gets no further tokens', async ({ assert }) => {
    const { app, tokens } = await signedInBefore()
    const refused = refreshTokenGrant(app.config, tokens.refresh_token!)
    await assert.rejects(() => refused)
    const { error } = await refused.catch((refusal) => refusal)
    assert.equal(error, 'invalid_grant')
  })

  test('learns nothing of the administrator', async ({ client, assert }) => {
    const { tokens } = await signedInBefore()
    const response = await client.get('/oauth/userinfo').headers(bearer(tokens.access_token))
    response.assertStatus(401)
    assert.notProperty(response.body(), 'role')
  })

  test('gets tokens again after the second factor', async ({ client, assert }) => {
    const { admin, app, browser, scope } = await signedInBefore()
    const code = await giveSecondFactor(admin)
    const { url, checks } = await authorizationRequest(app, { scope })
    const page = await browser.open(url)
    const answer = await browser.submit(page, /^\/confirm$/, { password: PASSWORD, code })
    const tokens = await authorizationCodeGrant(app.config, answer.url, checks)
    const response = await client.get('/oauth/userinfo').headers(bearer(tokens.access_token))
    assert.equal(response.body().role, 'Admin')
  })
})
