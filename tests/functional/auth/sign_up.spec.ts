import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import settings from '#config/sign_up'
import { updateUser } from '#users/update_user'
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
import { CHANGE, waitingBrowser, waitingDevice } from '../oidc/waiting_browser.ts'
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

interface Asked {
  client: ApiClient
  user: User
  email: string
}

/** Requests another address, and returns the reason if it is refused. */
type Move = (asked: Asked) => Promise<string>

const refusalOn = (html: string) => /Use an address at company\.example/.exec(html)?.[0] ?? ''

const MOVES: Record<string, Move> = {
  async 'the API'({ client, user, email }) {
    const { headers } = await signedIn(client, user)
    const response = await client.put('/auth/profile').headers(headers).json({ email })
    return response.body().errors?.[0].rule ?? ''
  },
  async 'the account page'({ user, email }) {
    const { browser } = await person({ user })
    const page = await browser.submit('/account', { email }, '/account/address')
    return refusalOn(await page.text())
  },
  async 'a sign-in that waits'({ user, email }) {
    const { browser, page } = await waitingBrowser({ user })
    const { html } = await browser.submit(page, CHANGE, { email })
    return refusalOn(html)
  },
  async 'a device that waits'({ user, email }) {
    const { browser, page } = await waitingDevice({ user })
    const { html } = await browser.submit(page, CHANGE, { email })
    return refusalOn(html)
  },
}

const listedEmail = () => `${randomUUID()}@company.example`

async function registered(client: ApiClient) {
  const response = await register(client, listedEmail())
  return User.findOrFail(response.body().id)
}

async function provedOnce() {
  const user = await createUser()
  await updateUser(user.id, { emailVerified: false }, SYSTEM)
  return User.findOrFail(user.id)
}

interface Mover {
  who: string
  to: () => string
  make: (client: ApiClient) => Promise<User>
  isOpen: boolean
  passes: boolean
}

const LIST = { isOpen: true, make: registered, to: someEmail, passes: true }

const MOVERS: Mover[] = [
  { ...LIST, who: 'without a proved address out of the list', passes: false },
  { ...LIST, who: 'without a proved address within the list', to: listedEmail },
  { ...LIST, who: 'who has proved one out of the list', make: provedOnce },
  {
    ...LIST,
    who: 'who was invited while sign-up is closed',
    make: () => createUser({ isVerified: false }),
    isOpen: false,
  },
]

test.group('Sign-up | domains of the next address', (group) => {
  group.each.setup(() => {
    settings.domains = ['company.example']
    return () => {
      settings.domains = []
      settings.isOpen = true
    }
  })

  const cells = MOVERS.flatMap((mover) => Object.keys(MOVES).map((by) => ({ ...mover, by })))

  test('user {who} by {by}: moves {passes}')
    .with(cells)
    .run(async ({ client, assert }, { make, to, isOpen, by, passes }) => {
      const [{ id }, email] = [await make(client), to()]
      settings.isOpen = isOpen
      const refusal = await MOVES[by]({ client, user: await User.findOrFail(id), email })
      const { pendingEmail } = await User.findOrFail(id)
      assert.deepEqual([refusal === '', pendingEmail], [passes, passes ? email : null])
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
