import { freezeTime, test, timeTravel } from '@japa/runner'
import { generate } from 'otplib'
import Identity from '#models/identity'
import { listKeys } from '#auth/api_keys/list_keys'
import { listDevices } from '#auth/devices/list_devices'
import { listSessions } from '#auth/sessions/sessions'
import { OpenIdProvider } from '#tests/servers/openid'
import { createUser, knownDevice, login, PASSWORD, signedIn } from '#tests/support/fixtures'
import { htmlOf, person, textOf } from './person.ts'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { signInAtProvider, TestBrowser } from '../external/browser.ts'

const OTHER = 'An0ther-horse!'
const SECURITY = '/account/security'

function identityOf(userId: string, provider = 'acme') {
  const subject = `${provider}-${userId}`
  return Identity.create({ userId, provider, issuer: 'https://idp.example', subject })
}

/** Makes a user without a password, and returns how the session by a provider was proved. */
async function byProvider() {
  const user = await createUser({ password: null })
  await identityOf(user.id)
  return { user, session: { method: 'acme', amr: [] } }
}

test.group('Account | API keys', () => {
  test('the page of a new key says nothing of one that was not made', async ({ assert }) => {
    const { browser } = await person()
    const { response } = await browser.follow(`${SECURITY}/api-keys`)
    assert.include(await textOf(response), 'A new key is shown only once')
    assert.notInclude(await htmlOf(browser.request(SECURITY)), 'was shown')
  })
})

test.group('Account | password', () => {
  test('a new password ends every other session', async ({ client, assert }) => {
    const { user, browser, sessionId } = await person()
    await signedIn(client, user)
    const passwords = { currentPassword: PASSWORD, newPassword: OTHER }
    const response = await browser.submit(SECURITY, passwords, `${SECURITY}/password`)
    const sessions = await listSessions(user.id)
    assert.equal(response.headers.get('location'), SECURITY)
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [sessionId]
    )
  })

  test('a wrong present password is told beside its field', async ({ assert }) => {
    const { browser } = await person()
    const passwords = { currentPassword: 'Wr0ng-horse!', newPassword: OTHER }
    const response = await browser.submit(SECURITY, passwords, `${SECURITY}/password`)
    assert.equal(response.status, 422)
    assert.include(await response.text(), 'id="field-currentPassword-error"')
  })

  test('the rules of a new password stand below its field', async ({ assert }) => {
    const { browser } = await person()
    const text = await textOf(await browser.request(SECURITY))
    assert.include(text, 'At least 8 characters An uppercase letter')
  })

  test('a user without a password confirms before they choose one', async ({ assert }) => {
    const { browser } = await person({ ...(await byProvider()), isOld: true })
    const before = await htmlOf(browser.request(SECURITY))
    const asked = await browser.submit(SECURITY, {}, `${SECURITY}/password/begin`)
    assert.notInclude(before, 'name="newPassword"')
    assert.equal(asked.status, 403)
    assert.include(await textOf(asked), 'Choose a password.')
  })

  test('a user without a password chooses their first', async ({ client, assert }) => {
    const { user, browser } = await person(await byProvider())
    await browser.submit(SECURITY, { newPassword: OTHER }, `${SECURITY}/password`)
    const response = await login(client, { email: user.email, password: OTHER })
    response.assertStatus(200)
    assert.include(await textOf(await browser.request(SECURITY)), 'Your password was changed')
  })
})

test.group('Account | second factor', () => {
  test('is turned on with a code of the app', async ({ assert }) => {
    freezeTime()
    const { user, browser } = await person()
    const shown = await htmlOf(browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`))
    const [, secret] = /name="secret" value="([A-Z2-7]+)"/.exec(shown)!
    const code = await generate({ secret })
    const enabled = await browser.submit(SECURITY, { secret, code }, `${SECURITY}/mfa/enable`)
    await user.refresh()
    assert.include(shown, 'src="data:image/png;base64,')
    assert.equal(enabled.headers.get('location'), `${SECURITY}/mfa/codes`)
    const html = await htmlOf(browser.request(`${SECURITY}/mfa/codes`))
    assert.lengthOf(html.match(/<code>[A-Z2-9]{5} [A-Z2-9]{5}<\/code>/g)!, 10)
    assert.isOk(user.mfaEnabled)
  })

  test('shows the same secret when its page is loaded again', async ({ assert }) => {
    const user = await createUser()
    const { browser } = await person({ user })
    const { browser: other } = await person({ user })
    const secretOf = async (visitor: typeof browser) => {
      const page = await htmlOf(visitor.submit(SECURITY, {}, `${SECURITY}/mfa/setup`))
      return /name="secret" value="([A-Z2-7]+)"/.exec(page)![1]
    }
    const first = await secretOf(browser)
    assert.equal(await secretOf(browser), first)
    assert.notEqual(await secretOf(other), first)
    assert.notEqual(await secretOf(browser), first)
  })

  test('shows the same secret again after a wrong code', async ({ assert }) => {
    const { user, browser } = await person()
    const shown = await htmlOf(browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`))
    const [, secret] = /name="secret" value="([A-Z2-7]+)"/.exec(shown)!
    const fields = { secret, code: '000000' }
    const again = await browser.submit(SECURITY, fields, `${SECURITY}/mfa/enable`)
    await user.refresh()
    assert.equal(again.status, 422)
    assert.include(await again.text(), `value="${secret}"`)
    assert.isNotOk(user.mfaEnabled)
  })

  test('draws no code of a secret that is none', async ({ assert }) => {
    const { browser } = await person()
    const fields = { secret: '<script>', code: '000000' }
    const response = await browser.submit(SECURITY, fields, `${SECURITY}/mfa/enable`)
    assert.notInclude(await response.text(), 'data:image/png')
  })

  test('gets other backup codes and is turned off', async ({ assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const session = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
    const { browser } = await person({ user, session })
    const codes = await browser.submit(SECURITY, {}, `${SECURITY}/mfa/codes`)
    const off = await browser.submit(SECURITY, {}, `${SECURITY}/mfa/disable`)
    await user.refresh()
    assert.equal(codes.headers.get('location'), `${SECURITY}/mfa/codes`)
    assert.equal(off.headers.get('location'), SECURITY)
    assert.isNotOk(user.mfaEnabled)
  })

  test('shows backup codes once, and no others when it is loaded again', async ({ assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const session = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
    const { browser } = await person({ user, session })
    await browser.submit(SECURITY, {}, `${SECURITY}/mfa/codes`)
    const first = await htmlOf(browser.request(`${SECURITY}/mfa/codes`))
    const again = await browser.request(`${SECURITY}/mfa/codes`)
    assert.lengthOf(first.match(/<code>[A-Z2-9]{5} [A-Z2-9]{5}<\/code>/g) ?? [], 10)
    assert.equal(again.headers.get('location'), SECURITY)
    assert.include(await textOf(browser.request(SECURITY)), 'Backup codes are shown only once')
  })

  test('shows no backup codes once the proof is not recent', async ({ assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const session = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
    const { browser } = await person({ user, session })
    await browser.submit(SECURITY, {}, `${SECURITY}/mfa/codes`)
    timeTravel('11m')
    const late = await browser.request(`${SECURITY}/mfa/codes`)
    assert.equal(late.headers.get('location'), SECURITY)
  })

  test('can be copied by an app on the same device', async ({ assert }) => {
    const { browser } = await person()
    const html = await htmlOf(browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`))
    const [, secret] = /name="secret" value="([A-Z2-7]+)"/.exec(html)!
    assert.include(html, secret.match(/.{1,4}/g)!.join(' '))
    assert.match(html, new RegExp(`href="otpauth:[^"]*secret=${secret}`))
  })

  test('is not offered twice', async ({ assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    const session = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
    const { browser } = await person({ user, session })
    const response = await browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`)
    assert.equal(response.status, 409)
    assert.include(await response.text(), 'role="alert"')
  })
})

const acme = new OpenIdProvider(
  process.env.OIDC_ACME_ISSUER!,
  `${process.env.APP_URL}/auth/external/acme/callback`
)

test.group('Account | providers', (group) => {
  group.setup(() => acme.start())
  group.teardown(() => acme.stop() as Promise<void>)

  test('a provider is linked and unlinked', async ({ assert }) => {
    const { user, browser } = await person()
    const name = `link-${user.id.slice(-8)}`
    const path = `${SECURITY}/providers/acme`
    const page = await htmlOf(browser.submit(SECURITY, {}, `${path}/link`))
    const url = /href="(http[^"]+)"/.exec(page)![1].replaceAll('&amp;', '&')
    const callback = await signInAtProvider(browser, url, name)
    const { response } = await browser.follow(callback)
    assert.include(await textOf(response), 'Acme is linked: you can sign in with it.')
    assert.lengthOf(await Identity.query().where('user_id', user.id), 1)
    await browser.submit(SECURITY, {}, `${path}/unlink`)
    assert.lengthOf(await Identity.query().where('user_id', user.id), 0)
  })

  test('an identity of somebody else is told to be taken', async ({ assert }) => {
    const { browser } = await person()
    const path = `${SECURITY}/providers/acme/linked?error=E_IDENTITY_TAKEN`
    const { response } = await browser.follow(path)
    assert.include(await textOf(response), 'linked to another account')
  })

  test('an error with a number in its text is shown as well', async ({ assert }) => {
    const { browser } = await person()
    const path = `${SECURITY}/providers/acme/linked?error=E_PASSKEY_LIMIT`
    const { response } = await browser.follow(path)
    assert.include(await textOf(response), 'An account can have 10 passkeys')
  })

  test('an error that is made up shows no text of its own', async ({ assert }) => {
    const { browser } = await person()
    const path = `${SECURITY}/providers/acme/linked?error=Call+555`
    const { response } = await browser.follow(path)
    const text = await textOf(response)
    assert.include(text, 'The provider did not confirm who you are')
    assert.notInclude(text, 'Call 555')
  })

  test('the only sign-in method is kept', async ({ assert }) => {
    const { user, browser } = await person(await byProvider())
    const path = `${SECURITY}/providers/acme/unlink`
    const response = await browser.submit(SECURITY, {}, path)
    assert.equal(response.status, 409)
    assert.lengthOf(await Identity.query().where('user_id', user.id), 1)
  })
})

test.group('Account | API keys and devices', () => {
  const KEY = { 'name': 'Report', 'days': '30', 'scopes[]': 'profile:read' }

  test('a key is made and shown once', async ({ client, assert }) => {
    const { user, browser } = await person()
    const made = await browser.submit(SECURITY, KEY, `${SECURITY}/api-keys`)
    const shown = await htmlOf(browser.request(made.headers.get('location')!))
    const [key] = /gh_[A-Za-z0-9_]+/.exec(shown)!
    const again = await browser.request(`${SECURITY}/api-keys`)
    const profile = await client.get('/auth/profile').header('authorization', `Bearer ${key}`)
    profile.assertStatus(200)
    assert.equal(again.headers.get('location'), SECURITY)
    assert.lengthOf(await listKeys(user.id), 1)
  })

  test('a key beyond the role is refused beside its field', async ({ assert }) => {
    const { user, browser } = await person()
    const fields = { ...KEY, 'scopes[]': 'users:write' }
    const response = await browser.submit(SECURITY, fields, `${SECURITY}/api-keys`)
    assert.equal(response.status, 403)
    assert.lengthOf(await listKeys(user.id), 0)
  })

  test('a key is revoked', async ({ assert }) => {
    const { user, browser } = await person()
    await browser.submit(SECURITY, KEY, `${SECURITY}/api-keys`)
    const [{ id }] = await listKeys(user.id)
    await browser.submit(SECURITY, {}, `${SECURITY}/api-keys/${id}/revoke`)
    assert.lengthOf(await listKeys(user.id), 0)
  })

  test('a known device is forgotten', async ({ client, assert }) => {
    const { user, browser } = await person()
    await knownDevice(client, user)
    const [{ id }] = await listDevices(user.id)
    await browser.submit(SECURITY, {}, `${SECURITY}/devices/${id}/withdraw`)
    assert.lengthOf(await listDevices(user.id), 0)
  })
})

test.group('Account | confirmation', () => {
  test('a form is sent on after the password', async ({ assert }) => {
    const { browser } = await person({ isOld: true })
    const asked = await browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`)
    const html = await asked.text()
    const [, savedForm] = /name="savedForm" value="([^"]+)"/.exec(html)!
    const fields = { savedForm, password: PASSWORD, next: '/account' }
    const confirmed = await browser.submit('/confirm', fields)
    assert.equal(asked.status, 403)
    assert.include(html, 'Set up two-step verification.')
    assert.deepEqual(
      [confirmed.status, confirmed.headers.get('location')],
      [307, `${SECURITY}/mfa/setup`]
    )
  })

  test('a user without a password is led to the provider', async ({ assert }) => {
    const { browser } = await person({ ...(await byProvider()), isOld: true })
    const asked = await browser.submit(SECURITY, {}, `${SECURITY}/mfa/setup`)
    const html = await asked.text()
    assert.include(html, '/auth/external/acme?next=')
    assert.notInclude(html, 'name="password"')
  })

  test('a visitor who was signed out sends no form', async ({ assert }) => {
    const browser = new TestBrowser()
    const fields = { username: 'Eve', nickname: '' }
    const response = await browser.submit('/sign-in', fields, '/account')
    assert.equal(response.status, 401)
  })
})
