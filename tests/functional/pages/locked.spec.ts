import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import User from '#models/user'
import { lockUser } from '#users/lock_user'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { giveSecondFactor } from '../matrix/sign_in_methods.ts'
import { TestBrowser } from '../external/browser.ts'

const BY_ADMINISTRATOR = 'An administrator has locked this account'
const NEXT_PASSWORD = 'Another-h0rse!'

const lock = ({ id }: { id: string }) => lockUser(id, Date.now() + 3_600_000, SYSTEM)

async function signInPage(browser: TestBrowser, email: string, password = PASSWORD) {
  const response = await browser.submit('/sign-in', { email, password })
  return { status: response.status, text: await response.text() }
}

test.group('Pages | locked by an administrator', () => {
  test('says the same to a password as of an unknown address', async ({ assert }) => {
    const user = await createUser()
    await lock(user)
    const known = await signInPage(new TestBrowser(), user.email)
    const browser = new TestBrowser()
    const email = someEmail()
    for (let count = 0; count < 5; count++) await signInPage(browser, email)
    const unknown = await signInPage(new TestBrowser(), email)
    for (const { status, text } of [known, unknown]) {
      assert.equal(status, 403)
      assert.include(text, 'ask an administrator to lift any other')
      assert.notInclude(text, BY_ADMINISTRATOR)
    }
  })

  test('is told to the owner at the second step', async ({ assert }) => {
    const user = await createUser()
    const code = await giveSecondFactor(user)
    const browser = new TestBrowser()
    const { text } = await signInPage(browser, user.email)
    const [, mfaToken] = /name="mfaToken" value="([^"]+)/.exec(text)!
    await lock(user)
    const response = await browser.submit('/sign-in', { mfaToken, code }, '/sign-in/code')
    assert.equal(response.status, 403)
    assert.include(await response.text(), BY_ADMINISTRATOR)
  })

  test('is told to the owner who sets a password by mail', async ({ assert }) => {
    const user = await createUser()
    const token = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'password_reset' }, trx)
    )
    await lock(user)
    const browser = new TestBrowser()
    const body = new URLSearchParams({ token, password: NEXT_PASSWORD })
    const response = await browser.request('/reset-password', { method: 'POST', body })
    assert.include(await response.text(), BY_ADMINISTRATOR)
  })
})

test.group('Pages | password of an administrator', () => {
  /** Opens the page to which a sign-in with such a password redirects. */
  async function handedOver(browser: TestBrowser, user: { email: string }) {
    const answer = await browser.submit('/sign-in?next=/account/security', {
      email: user.email,
      password: PASSWORD,
      next: '/account/security',
    })
    const path = answer.headers.get('location')!
    const page = await browser.request(path)
    const html = await page.text()
    const [, token] = /name="token" value="([^"]+)/.exec(html)!
    return { path, html, token, choose: () => submitChoice(browser, { path, token }) }
  }

  function submitChoice(browser: TestBrowser, { path, token }: { path: string; token: string }) {
    const fields = { token, password: NEXT_PASSWORD, next: '/account/security' }
    return browser.submit(path, fields, '/sign-in/password')
  }

  test('says why another has to be chosen, and then signs in', async ({ assert }) => {
    const user = await createUser()
    await user.merge({ mustChangePassword: true }).save()
    const browser = new TestBrowser()
    const { html, choose } = await handedOver(browser, user)
    assert.include(html, 'An administrator gave you this password')
    const answer = await choose()
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/account/security')
    const account = await browser.request('/account/security')
    assert.equal(account.status, 200)
  })

  test('stands in no address, and in one browser alone', async ({ assert }) => {
    const user = await createUser()
    await user.merge({ mustChangePassword: true }).save()
    const browser = new TestBrowser()
    const { path, token } = await handedOver(browser, user)
    const again = await browser.request(path)
    const other = await new TestBrowser().request(path)
    const given = await new TestBrowser().request(`${path}&token=${token}`)
    assert.equal(path, '/sign-in/password?next=%2Faccount%2Fsecurity')
    assert.equal(again.status, 200)
    assert.deepEqual([other.status, given.status], [404, 404])
  })

  test('takes no link of {purpose}, so that no other site signs a visitor in')
    .with([{ purpose: 'password_reset' }, { purpose: 'invitation' }] as const)
    .run(async ({ assert }, { purpose }) => {
      const user = await createUser()
      const token = await db.transaction((trx) => issueOneTimeToken(user, { purpose }, trx))
      const browser = new TestBrowser()
      await submitChoice(browser, { path: '/sign-in', token })
      const account = await browser.request('/account/security')
      assert.equal(account.status, 302)
      const { password } = await User.findOrFail(user.id)
      assert.equal(password, user.password)
    })

  test('still leads to the second step of who has one', async ({ assert }) => {
    const user = await createUser()
    await giveSecondFactor(user)
    await user.merge({ mustChangePassword: true }).save()
    const browser = new TestBrowser()
    const { choose } = await handedOver(browser, user)
    const answer = await choose()
    assert.include(await answer.text(), 'name="mfaToken"')
    const account = await browser.request('/account/security')
    assert.equal(account.status, 302)
  })
})
