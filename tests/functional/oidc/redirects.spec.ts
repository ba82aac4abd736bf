import { freezeTime, test, timeTravel } from '@japa/runner'
import settings from '#config/oidc'
import { updateClient } from '#oidc/clients/clients'
import { giveConsent } from '#oidc/consents/consents'
import { SYSTEM } from '#audit/actor'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  pushedRequest,
} from '#tests/support/oidc'
import {
  allow,
  documents,
  INTERACTION,
  openRequest,
  withDocuments,
} from '#tests/support/client_documents'
import { PUBLIC } from './attacker.ts'

/* Where a code or an error may be sent, and what the user must have done before. */

const refuse = { decision: 'refuse' }
const LOOPBACK = 'http://127.0.0.1:51004/callback'
const SCHEME = 'com.example.app:/callback'

test.group('Redirect | any program can receive it', () => {
  const program = (redirectUri: string) =>
    application({ ...PUBLIC, name: 'Terminal', redirectUris: [redirectUri] })

  async function open(redirectUri: string, parameters: Record<string, string> = {}) {
    const [app, user] = [await program(redirectUri), await createUser()]
    const browser = await browserOf(user)
    const redirect = { redirect_uri: redirectUri, ...parameters }
    const { url } = await authorizationRequest(app, redirect)
    return { url, user, browser, page: await browser.open(url) }
  }

  test('no code goes to {$self} without a click')
    .with([LOOPBACK, SCHEME, 'com.example.app://callback'])
    .run(async ({ assert }, redirectUri) => {
      const { browser, page } = await open(redirectUri)
      assert.match(page.url.pathname, INTERACTION)
      assert.include(page.html, 'Continue to Terminal')
      const answer = await allow(browser, page)
      assert.isNotNull(answer.url.searchParams.get('code'))
    })

  test('the click is for one request', async ({ assert }) => {
    const { url, browser, page } = await open(LOOPBACK)
    await allow(browser, page)
    const again = await browser.open(url)
    assert.match(again.url.pathname, INTERACTION)
  })

  test('an app is named by its scheme', async ({ assert }) => {
    const { page } = await open('com.example.app://bank.example.org/callback')
    assert.include(page.html, 'com.example.app:')
    assert.notInclude(page.html, 'bank.example.org')
  })

  test('a refusal leads back with access_denied', async ({ assert }) => {
    const { browser, page } = await open(LOOPBACK)
    const answer = await browser.submit(page, INTERACTION, refuse)
    assert.equal(answer.url.searchParams.get('error'), 'access_denied')
  })

  test('prompt=none is answered interaction_required', async ({ assert }) => {
    const { page } = await open(LOOPBACK, { prompt: 'none' })
    assert.equal(page.url.searchParams.get('error'), 'interaction_required')
  })

  test('who signs in for the request is not asked again', async ({ assert }) => {
    const [app, user] = [await program(LOOPBACK), await createUser()]
    const browser = new Browser()
    const { url } = await authorizationRequest(app, { redirect_uri: LOOPBACK })
    const page = await browser.open(url)
    const credentials = { email: user.email, password: PASSWORD }
    const answer = await browser.submit(page, /^\/sign-in$/, credentials)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('a sign-in in another tab is not the click', async ({ assert }) => {
    const [app, user] = [await program(LOOPBACK), await createUser()]
    const browser = new Browser()
    const { url } = await authorizationRequest(app, { redirect_uri: LOOPBACK })
    const page = await browser.open(url)
    const credentials = { email: user.email, password: PASSWORD }
    const elsewhere = await browser.open(`${page.url.origin}/sign-in`)
    await browser.submit(elsewhere, /^\/sign-in$/, credentials)
    const reloaded = await browser.open(page.url)
    assert.match(reloaded.url.pathname, INTERACTION)
    assert.include(reloaded.html, 'Continue to Terminal')
  })

  test('an earlier consent does not replace the click', async ({ assert }) => {
    const third = { ...PUBLIC, kind: 'third_party' } as const
    const [app, user] = [
      await application({ ...third, redirectUris: [LOOPBACK] }),
      await createUser(),
    ]
    const browser = await browserOf(user)
    const { url } = await authorizationRequest(app, { redirect_uri: LOOPBACK })
    const consent = await browser.open(url)
    const first = await allow(browser, consent)
    const again = await browser.open(url)
    assert.isNotNull(first.url.searchParams.get('code'))
    assert.include(again.html, 'Continue to Grafana')
  })

  test('a client with a secret gets its code on loopback', async ({ assert }) => {
    const app = await application({ kind: 'first_party', redirectUris: [LOOPBACK] })
    const { url } = await authorizationRequest(app, { redirect_uri: LOOPBACK })
    const browser = await browserOf(await createUser())
    const answer = await browser.open(url)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })
})

test.group('Redirect | removed while the page was open', () => {
  for (const decision of ['allow', 'refuse']) {
    test(`{$self} leads nowhere after ${decision}`)
      .with(['consent', 'login'])
      .run(async ({ assert }, prompt) => {
        freezeTime()
        const [app, user] = [await application(), await createUser()]
        const browser = await browserOf(user)
        timeTravel(1_000)
        const { url } = await authorizationRequest(app, { prompt })
        let page = await browser.open(url)
        if (prompt === 'login') {
          timeTravel(1_000)
          page = await browser.submit(page, /^\/confirm$/, { password: PASSWORD })
        }
        const redirectUris = ['https://app.example.org/other']
        await updateClient(app.client.id, { redirectUris }, SYSTEM)
        const answer = await browser.submit(page, INTERACTION, { decision })
        assert.equal(answer.url.origin, new URL(settings.issuer).origin)
        assert.equal(answer.response.status, 400)
        assert.include(answer.html, 'Unknown address')
      })
  }
})

test.group('Redirect | clients that have no registration', (group) => {
  withDocuments(group)

  const UNTRUSTED = 'You have not allowed it anything yet'

  test('{error} of an untrusted client is a page')
    .with([
      { error: 'login_required', parameters: { prompt: 'none' }, isSignedIn: false },
      { error: 'consent_required', parameters: { prompt: 'none' }, isSignedIn: true },
      { error: 'invalid_request', parameters: { code_challenge: '' }, isSignedIn: true },
      { error: 'invalid_request', parameters: { state: 'x'.repeat(4_000) }, isSignedIn: false },
      { error: 'invalid_target', parameters: { resource: 'http://x' }, isSignedIn: true },
    ])
    .run(async ({ assert }, { parameters, isSignedIn }) => {
      const browser = isSignedIn ? await browserOf(await createUser()) : new Browser()
      const clientId = documents.serve('/client.json')
      const given = parameters as unknown as Record<string, string>
      const page = await openRequest(browser, clientId, given)
      assert.equal(page.url.origin, new URL(settings.issuer).origin)
      assert.equal(page.response.status, 400)
      assert.include(page.html, UNTRUSTED)
      assert.isNull(page.response.headers.get('location'))
    })

  test('a client that the user consented to gets its error', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const clientId = documents.serve('/client.json')
    const access = { scopes: ['openid'], resources: [] }
    await giveConsent({ userId: user.id, clientId }, access, SYSTEM)
    const answer = await openRequest(browser, clientId, { prompt: 'none' })
    assert.equal(answer.url.searchParams.get('error'), 'consent_required')
    assert.equal(answer.url.pathname, '/callback')
  })

  test('who refuses is taken back to it', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const page = await openRequest(browser, documents.serve('/client.json'))
    const answer = await browser.submit(page, INTERACTION, refuse)
    assert.equal(answer.url.searchParams.get('error'), 'access_denied')
  })
})

test.group('Redirect | pushed request', () => {
  test('a sign-in of {seconds} s gets one code of it')
    .with([{ seconds: 30 }, { seconds: 61 }, { seconds: 1_700 }])
    .run(async ({ assert }, { seconds }) => {
      freezeTime()
      const { url } = await pushedRequest(await application({ kind: 'first_party' }))
      const { email } = await createUser()
      const browsers = [new Browser(), new Browser()]
      const [one, other] = [await browsers[0].open(url), await browsers[1].open(url)]
      timeTravel(seconds * 1_000)
      const credentials = { email, password: PASSWORD }
      const first = await browsers[0].submit(one, /^\/sign-in$/, credentials)
      const second = await browsers[1].submit(other, /^\/sign-in$/, credentials)
      assert.isNotNull(first.url.searchParams.get('code'))
      assert.equal(second.url.searchParams.get('error'), 'invalid_request_uri')
    })

  test('after {seconds} s a request opens nothing')
    .with([{ seconds: 61 }, { seconds: 1_900 }])
    .run(async ({ assert }, { seconds }) => {
      freezeTime()
      const { url } = await pushedRequest(await application({ kind: 'first_party' }))
      timeTravel(seconds * 1_000)
      const page = await new Browser().open(url)
      assert.equal(page.response.status, 400)
    })
})
