import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import User from '#models/user'
import settings from '#config/sign_up'
import {
  createAdmin,
  createUser,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { person } from '../account/person.ts'
import { TestBrowser } from '../external/browser.ts'
import type { ApiClient } from '@japa/api-client'

function register(client: ApiClient, email: string) {
  return client
    .post('/auth/register')
    .header('x-forwarded-for', someAddress())
    .json({ email, username: 'Ada', password: PASSWORD })
}

test.group('Sign-up | invite', (group) => {
  group.each.setup(() => {
    settings.isOpen = false
    return () => {
      settings.isOpen = true
    }
  })

  test('registration is refused for any address', async ({ client }) => {
    const { email } = await createUser()
    for (const address of [someEmail(), email]) {
      const response = await register(client, address)
      response.assertStatus(403)
      response.assertBodyContains({ code: 'E_SIGN_UP_CLOSED' })
    }
  })

  test('broken registration keeps its own error', async ({ client }) => {
    const response = await register(client, 'no address')
    response.assertStatus(400)
  })

  test('administrators go on inviting people', async ({ client }) => {
    const admin = await createAdmin()
    const email = someEmail()
    const response = await client
      .post('/users')
      .loginAs(admin)
      .json({ email, username: 'Ada', invite: true })
    response.assertStatus(201)
  })
})

test.group('Sign-up | domains', (group) => {
  group.each.setup(() => {
    settings.domains = ['example.org', 'xn--bcher-kva.example']
    return () => {
      settings.domains = []
    }
  })

  test('address of a listed domain registers', async ({ client }) => {
    for (const address of [`${randomUUID()}@Example.org`, `${randomUUID()}@bücher.example`]) {
      const response = await register(client, address)
      response.assertStatus(201)
    }
  })

  test('address of another domain is refused', async ({ client }) => {
    for (const domain of [
      'evil.org',
      'sub.example.org',
      'notexample.org',
      'example.org.evil.org',
    ]) {
      const response = await register(client, `ada@${domain}`)
      response.assertStatus(400)
      response.assertBodyContains({
        code: 'E_VALIDATION_ERROR',
        errors: [{ field: 'email', rule: 'domain' }],
      })
    }
  })
})

/** Asks for another address, by the API and by a page. */
async function move(client: ApiClient, user: User, email: string) {
  const { headers } = await signedIn(client, user)
  const response = await client.put('/auth/profile').headers(headers).json({ email })
  const { browser } = await person({ user })
  const page = await browser.submit('/account', { email }, '/account/address')
  return { statuses: [response.status(), page.status], response, page }
}

test.group('Sign-up | domains of the next address', (group) => {
  group.each.setup(() => {
    settings.domains = ['company.example']
    return () => {
      settings.domains = []
      settings.isOpen = true
    }
  })

  async function registered(client: ApiClient) {
    const email = `${randomUUID()}@company.example`
    const response = await register(client, email)
    return User.findOrFail(response.body().id)
  }

  test('user without a proved address cannot leave the list', async ({ client, assert }) => {
    const user = await registered(client)
    const { statuses, response, page } = await move(client, user, someEmail())
    assert.deepEqual(statuses, [400, 422])
    response.assertBodyContains({ errors: [{ field: 'email', rule: 'domain' }] })
    assert.include(await page.text(), 'Use an address at company.example')
    const { pendingEmail } = await User.findOrFail(user.id)
    assert.isNull(pendingEmail)
  })

  test('user without a proved address moves within the list', async ({ client, assert }) => {
    const email = `${randomUUID()}@company.example`
    const { statuses } = await move(client, await registered(client), email)
    assert.deepEqual(statuses, [200, 303])
  })

  test('user with a proved address moves anywhere', async ({ client, assert }) => {
    const { statuses } = await move(client, await createUser(), someEmail())
    assert.deepEqual(statuses, [200, 303])
  })

  test('list binds no one while sign-up is closed', async ({ client, assert }) => {
    settings.isOpen = false
    const invited = await createUser({ isVerified: false })
    const { statuses } = await move(client, invited, someEmail())
    assert.deepEqual(statuses, [200, 303])
  })
})

test.group('Sign-up | external login', (group) => {
  const provider = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  group.setup(() => provider.start())
  group.teardown(() => provider.stop() as Promise<void>)
  group.each.teardown(() => {
    settings.isOpen = true
    settings.domains = []
  })

  async function comeBack(claims: { sub: string; email: string }) {
    provider.behaviour = { claims: { ...claims, email_verified: true } }
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf('hostile'))
    return { status: response.status, body: (await response.json()) as any }
  }

  test('first login is refused while sign-up is closed', async ({ assert }) => {
    settings.isOpen = false
    const email = someEmail()
    const { status, body } = await comeBack({ sub: randomUUID(), email })
    assert.equal(status, 403)
    assert.equal(body.code, 'E_SIGN_UP_CLOSED')
    assert.isNull(await User.findBy('email', email))
  })

  test('first login of another domain is refused', async ({ assert }) => {
    settings.domains = ['company.example']
    const { status, body } = await comeBack({ sub: randomUUID(), email: someEmail() })
    assert.equal(status, 400)
    assert.equal(body.errors[0].rule, 'domain')
  })

  test('linked identity signs in while sign-up is closed', async ({ assert }) => {
    const claims = { sub: randomUUID(), email: someEmail() }
    const first = await comeBack(claims)
    assert.equal(first.status, 200)
    settings.isOpen = false
    settings.domains = ['company.example']
    const again = await comeBack(claims)
    assert.equal(again.status, 200)
  })
})
