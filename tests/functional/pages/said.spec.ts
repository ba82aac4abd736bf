import { test } from '@japa/runner'
import { SigningKeysCheck } from '#health/checks/signing_keys_check'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, signedIn, someEmail } from '#tests/support/fixtures'
import { TestBrowser } from '../external/browser.ts'
import { htmlOf, person, textOf } from '../account/person.ts'

test.group('Pages | what they say', () => {
  test('signing out is said on the page that follows', async ({ assert }) => {
    const { browser } = await person()
    await browser.submit('/account', {}, '/sign-out')
    const page = await htmlOf(browser.request('/sign-in'))
    assert.match(page, /notice-good(?:(?!notice-).)*You are signed out\./s)
  })

  test('a session that has ended is said as a warning', async ({ assert }) => {
    const { browser, user } = await person()
    await endAllSessionsAs(user.id, SYSTEM)
    await browser.request('/account')
    const page = await htmlOf(browser.request('/sign-in'))
    assert.match(page, /notice-warn(?:(?!notice-).)*signed out/s)
  })

  test('the page of a mailed reset leads back to the sign-in', async ({ assert }) => {
    const browser = new TestBrowser()
    const page = await browser.submit('/forgot-password', { email: someEmail() })
    assert.include(await page.text(), 'href="/sign-in"')
  })

  test('a form of another visit tells that cookies may be off', async ({ assert }) => {
    const { browser } = await person()
    const response = await browser.request('/account', {
      method: 'POST',
      body: new URLSearchParams({ username: 'Ada' }),
    })
    assert.include(await textOf(response), 'cookies')
  })

  test('other sessions end and this one stays', async ({ client, assert }) => {
    const user = await createUser()
    const { browser, sessionId } = await person({ user })
    await signedIn(client, user)
    await browser.submit('/account/sessions', {}, '/account/sessions/end-others')
    const sessions = await listSessions(user.id)
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [sessionId]
    )
    assert.include(await textOf(browser.request('/account/sessions')), 'other sessions ended')
  })

  test('doctor counts the key pairs beside the shared secret', async ({ assert }) => {
    const { message } = await new SigningKeysCheck().run()
    assert.match(message, /^HS256 for access tokens; \d+ key pairs?$/)
  })
})
