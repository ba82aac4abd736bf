import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { createUser, decodeClaims, PASSWORD } from '#tests/support/fixtures'
import { application, browserOf, type Browser, type Page } from '#tests/support/oidc'

const DEVICE = /^\/oauth\/device$/
const ANSWER = /^\/oauth\/device\/answer$/
const CONFIRM = /^\/confirm$/
const MFA = { acr_values: 'urn:gatehouse:acr:mfa' }

/** Starts a device flow that requires more than a signed-in user. */
async function device(asked: Record<string, string>) {
  const app = await application({ redirectUris: [], grantTypes: [DEVICE_GRANT] })
  const started = await oidc.initiateDeviceAuthorization(app.config, { scope: 'openid', ...asked })
  const poll = () =>
    oidc.genericGrantRequest(app.config, DEVICE_GRANT, { device_code: started.device_code })
  return { started, poll }
}

type Started = Awaited<ReturnType<typeof device>>['started']

async function type(browser: Browser, { verification_uri_complete, user_code }: Started) {
  const form = await browser.open(verification_uri_complete!)
  return browser.submit(form, DEVICE, { user_code })
}

const allow = (browser: Browser, page: Page) => browser.submit(page, ANSWER, { decision: 'allow' })

test.group('Device flow | another proof', () => {
  test('max_age of {maxAge} s asks for the password after 66 s')
    .with([{ maxAge: '0' }, { maxAge: '65' }])
    .run(async ({ assert }, { maxAge }) => {
      freezeTime()
      const browser = await browserOf(await createUser())
      timeTravel(61_000)
      const { started, poll } = await device({ max_age: maxAge })
      timeTravel(5_000)
      const page = await type(browser, started)
      assert.equal(page.url.pathname, '/confirm')
      const form = await browser.submit(page, CONFIRM, { password: PASSWORD })
      assert.include(form.html, started.user_code)
      await allow(browser, await browser.submit(form, DEVICE, { user_code: started.user_code }))
      const { id_token: idToken } = await poll()
      assert.equal(decodeClaims(idToken!).auth_time, Math.floor(Date.now() / 1_000))
    })

  test('max_age that has not passed asks for nothing', async ({ assert }) => {
    const { started } = await device({ max_age: '60' })
    const page = await type(await browserOf(await createUser()), started)
    assert.equal(page.url.pathname, '/oauth/device')
    assert.include(page.html, 'decision')
  })

  test('a code that is typed after the sign-out is kept for the sign-in', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const { started } = await device({})
    const form = await browser.open(started.verification_uri_complete!)
    await endAllSessionsAs(user.id, SYSTEM)
    const code = { user_code: started.user_code }
    const late = await browser.send(form, DEVICE, code)
    const page = { url: form.url, response: late, html: await late.text() }
    const signIn = { email: user.email, password: PASSWORD }
    const replayed = await browser.send(page, /^\/sign-in$/, signIn)
    assert.equal(replayed.status, 307)
    assert.equal(replayed.headers.get('location'), '/oauth/device')
    const repeated = {
      ...page,
      html: page.html.replace('action="/sign-in"', 'action="/oauth/device"'),
    }
    const shown = await browser.send(repeated, DEVICE, signIn)
    assert.include(await shown.text(), 'decision')
  })

  test('a user without a second factor admits no device', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const { started, poll } = await device(MFA)
    const page = await type(browser, started)
    assert.equal(page.response.status, 403)
    await assert.rejects(poll)
  })

  test('an answer without the proof lets no device in', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const { started: plain } = await device({})
    const { started, poll } = await device(MFA)
    const consent = await type(browser, plain)
    const page = await browser.submit(consent, ANSWER, {
      decision: 'allow',
      user_code: started.user_code,
    })
    assert.equal(page.response.status, 403)
    await assert.rejects(poll)
  })
})
