import { test } from '@japa/runner'
import env from '#start/env'
import signUp from '#config/sign_up'
import limits from '#config/limits'
import User from '#models/user'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, login, PASSWORD, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailsTo } from '#tests/support/mail'
import { TestBrowser } from '../external/browser.ts'

const NEW = { username: 'Ada', password: 'Another-h0rse!' }

function send(email: string, browser = new TestBrowser()) {
  return browser.submit('/sign-up', { ...NEW, email })
}

/** Returns an answer without its nonces, which are always new, and without the address itself. */
async function comparable(response: Response, email: string) {
  const text = await response.text()
  const plain = text.replaceAll(/ nonce="[^"]*"/g, '').replaceAll(email, 'the address')
  return { status: response.status, text: plain }
}

async function kindsTo(email: string) {
  await deliverMails()
  const mails = await mailsTo(email)
  return mails.map(({ kind }) => kind)
}

test.group('Sign-up page', (group) => {
  group.each.setup(() => () => {
    signUp.isOpen = true
    signUp.domains = []
  })

  test('registers a user and mails the link', async ({ assert }) => {
    const email = someEmail()
    const response = await send(email, new TestBrowser({ 'accept-language': 'fr' }))
    const user = await User.findByOrFail('email', email)
    assert.equal(response.status, 200)
    assert.equal(user.locale, 'fr')
    assert.isFalse(user.isEmailVerified)
    assert.deepEqual(await kindsTo(email), ['email_verification'])
  })

  test('the sign-up page does not sign the user in', async ({ assert }) => {
    const email = someEmail()
    const browser = new TestBrowser()
    await send(email, browser)
    const user = await User.findByOrFail('email', email)
    const account = await browser.request('/account')
    assert.equal(account.status, 302)
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('answers alike for free and taken addresses', async ({ assert }) => {
    const [free, verified, unverified] = [someEmail(), someEmail(), someEmail()]
    await createUser({ email: verified })
    await createUser({ email: unverified, isVerified: false })
    const answers = []
    for (const email of [free, verified, unverified]) {
      answers.push(await comparable(await send(email), email))
    }
    assert.equal(answers[0].status, 200)
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
  })

  test('mails the owner of a taken address', async ({ assert }) => {
    const owner = await createUser()
    await send(owner.email)
    assert.deepEqual(await kindsTo(owner.email), ['account_exists'])
  })

  test('changes nothing of the account that exists', async ({ client, assert }) => {
    const owner = await createUser({ username: 'Owner' })
    await send(owner.email)
    const [old, given] = [
      await login(client, { email: owner.email }),
      await login(client, { email: owner.email, password: NEW.password }),
    ]
    await owner.refresh()
    assert.equal(owner.username, 'Owner')
    assert.deepEqual([old.status(), given.status()], [200, 401])
  })

  test('mails the link again to an address never verified', async ({ assert }) => {
    const owner = await createUser({ isVerified: false })
    await send(owner.email)
    assert.deepEqual(await kindsTo(owner.email), ['email_verification'])
  })

  test('mails an owner no more than others may', async ({ assert }) => {
    const owner = await createUser()
    for (let count = 0; count < 8; count++) await send(owner.email)
    const kinds = await kindsTo(owner.email)
    assert.lengthOf(kinds, limits.mailRecipient.limit)
  })

  test('counts with registrations by the API', async ({ client, assert }) => {
    const browser = new TestBrowser()
    const { limit } = limits.register
    for (let count = 0; count < limit; count++) {
      const request = client.post('/auth/register').header('x-forwarded-for', browser.address)
      await request.json({ ...NEW, email: someEmail() })
    }
    const response = await send(someEmail(), browser)
    assert.equal(response.status, 429)
    assert.isNotNull(response.headers.get('retry-after'))
  })

  test('refuses a bad password alike for both', async ({ assert }) => {
    const owner = await createUser()
    const password = 'short'
    const [free, taken] = [someEmail(), owner.email]
    const answers = []
    for (const email of [free, taken]) {
      const browser = new TestBrowser()
      const response = await browser.submit('/sign-up', { ...NEW, email, password })
      const answer = await comparable(response, email)
      answers.push({ ...answer, text: answer.text.replace(/name=.?_csrf.*$/m, '') })
    }
    assert.equal(answers[0].status, 422)
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(await kindsTo(taken), [])
  })

  test('says so where only invitations are open', async ({ assert }) => {
    const browser = new TestBrowser()
    signUp.isOpen = false
    const [page, signIn] = [await browser.request('/sign-up'), await browser.request('/sign-in')]
    signUp.isOpen = true
    assert.include(await page.text(), 'By invitation only')
    assert.notInclude(await signIn.text(), '/sign-up')
  })

  test('refuses a form that was open before', async ({ assert }) => {
    const email = someEmail()
    const browser = new TestBrowser()
    const form = await browser.request('/sign-up')
    const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await form.text())!
    signUp.isOpen = false
    const body = new URLSearchParams({ ...NEW, email, _csrf: csrf })
    const response = await browser.request('/sign-up', { method: 'POST', body })
    assert.equal(response.status, 403)
    assert.include(await response.text(), 'By invitation only')
    assert.isNull(await User.findBy('email', email))
  })

  test('tells the domains that may sign up', async ({ assert }) => {
    signUp.domains = ['acme.example']
    const response = await send(someEmail())
    assert.equal(response.status, 422)
    assert.include(await response.text(), 'acme.example')
  })

  test('is refused without the token of its form', async ({ client }) => {
    const request = client.post('/sign-up').header('x-forwarded-for', someAddress())
    const response = await request.form({ ...NEW, email: someEmail() })
    response.assertStatus(403)
  })

  test('leads who is signed in to the page asked for', async ({ assert }) => {
    const { email } = await createUser()
    const browser = new TestBrowser()
    await browser.submit('/sign-in', { email, password: PASSWORD })
    const response = await browser.request('/sign-up?next=/account/data')
    assert.equal(response.headers.get('location'), '/account/data')
  })
})

test.group('Sign-in page | unverified address', (group) => {
  group.each.setup(() => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    return () => env.set('REQUIRE_VERIFIED_EMAIL', false)
  })

  test('offers another mail after the right password', async ({ assert }) => {
    const { email } = await createUser({ isVerified: false })
    const browser = new TestBrowser()
    const fields = { email, password: PASSWORD, next: '/account/data' }
    const page = await browser.submit('/sign-in', fields)
    const html = await page.text()
    const sent = await browser.submit('/sign-in', fields, '/sign-in/verification')
    assert.equal(page.status, 403)
    assert.include(html, 'action="/sign-in/verification"')
    assert.include(html, 'value="/account/data"')
    assert.include(await sent.text(), '/sign-in?next=%2Faccount%2Fdata')
    assert.deepEqual(await kindsTo(email), ['email_verification'])
  })

  test('tells nothing after a wrong one', async ({ assert }) => {
    const { email } = await createUser({ isVerified: false })
    const browser = new TestBrowser()
    const page = await browser.submit('/sign-in', { email, password: 'Wrong-h0rse!' })
    assert.equal(page.status, 401)
    assert.notInclude(await page.text(), '/sign-in/verification')
  })

  test('mails alike for known and unknown addresses', async ({ assert }) => {
    const [known, unknown] = [await createUser(), someEmail()]
    const answers = []
    for (const email of [known.email, unknown]) {
      const browser = new TestBrowser()
      const response = await browser.submit('/sign-in', { email }, '/sign-in/verification')
      answers.push(await comparable(response, email))
    }
    assert.deepEqual(answers[0], answers[1])
    assert.deepEqual(await kindsTo(known.email), [])
  })

  test('mails of page and API share one limit', async ({ client, assert }) => {
    const browser = new TestBrowser()
    for (let count = 0; count < limits.mailAddress.limit; count++) {
      const request = client.post('/auth/verify-email/resend')
      await request.header('x-forwarded-for', browser.address).json({ email: someEmail() })
    }
    const fields = { email: someEmail() }
    const response = await browser.submit('/sign-in', fields, '/sign-in/verification')
    assert.equal(response.status, 429)
  })
})
