import { test } from '@japa/runner'
import { cookieName, interactionCookieName } from '#config/cookies'
import { TestBrowser } from '#tests/functional/external/browser'
import { endSessions } from '#auth/sessions/sessions'
import { OpenIdProvider } from '#tests/servers/openid'
import { createUser, login, PASSWORD } from '#tests/support/fixtures'
import { application, authorizationRequest, Browser } from '#tests/support/oidc'

const acme = new OpenIdProvider(
  process.env.OIDC_ACME_ISSUER!,
  `${process.env.APP_URL}/auth/external/acme/callback`
)

/** Cookies of applications that may run on the same host, on another port. */
const OF_FRAMEWORKS: Record<string, string[]> = {
  'AdonisJS': ['adonis-session', 'adonis_session', 'XSRF-TOKEN'],
  'ASP.NET': ['ASP.NET_SessionId', '.ASPXAUTH', '__RequestVerificationToken'],
  'ASP.NET Core': ['.AspNetCore.Cookies', '.AspNetCore.Session', '.AspNetCore.Antiforgery'],
  'Auth.js': ['authjs.session-token', 'next-auth.session-token', '__Host-next-auth.csrf-token'],
  'Django': ['sessionid', 'csrftoken', 'messages', 'django_language'],
  'Express': ['connect.sid', 'session', 'session.sig', 'appSession', '_csrf'],
  'Flask, Starlette, FastAPI': ['session', 'remember_token', 'access_token_cookie'],
  'Koa': ['koa.sess', 'koa.sess.sig', 'koa:sess'],
  'Laravel': ['laravel_session', 'XSRF-TOKEN', 'remember_web'],
  'Go': ['session', 'session-name', 'mysession', '_gorilla_csrf'],
  'oauth2-proxy': ['_oauth2_proxy', '_oauth2_proxy_csrf'],
  'oidc-provider': ['_session', '_interaction', '_interaction_resume', '_grant'],
  'PHP, Symfony': ['PHPSESSID', 'REMEMBERME'],
  'Rails': ['_session_id', 'remember_user_token', '_app_session'],
  'Spring, Jakarta': ['JSESSIONID', 'SESSION', 'XSRF-TOKEN', 'remember-me'],
  'home-made': ['access', 'refresh', 'device', 'token', 'access_token', 'refresh_token', 'auth'],
}

class WatchedBrowser extends Browser {
  readonly names = new Set<string>()

  async request(url: string | URL, options: object = {}) {
    const response = await super.request(url, options)
    for (const line of response.headers.getSetCookie()) this.names.add(line.split('=')[0])
    return response
  }
}

/** Signs in for an application, and is then refused by an external provider. */
async function cookiesOfVisit() {
  const user = await createUser()
  const browser = new WatchedBrowser()
  const { url } = await authorizationRequest(await application())
  const sent = { email: user.email, password: PASSWORD }
  await browser.submit(await browser.open(url), /^\/sign-in$/, sent)
  const external = `${browser.issuer}/auth/external/acme`
  const start = await browser.request(`${external}?next=/account`)
  const state = new URL(start.headers.get('location')!).searchParams.get('state')
  await browser.request(`${external}/callback?error=access_denied&state=${state}`)
  return [...browser.names]
}

test.group('Cookie names', (group) => {
  group.setup(() => acme.start())
  group.teardown(() => acme.stop() as Promise<void>)

  test('every cookie of a visit has a name of our own', async ({ assert }) => {
    const names = await cookiesOfVisit()
    const expected = [
      'session',
      'device',
      'page_state',
      'interaction',
      'resume',
      'external_outcome',
    ]
    assert.includeMembers(
      names,
      expected.map((name) => `gatehouse_${name}`)
    )
    for (const name of names) assert.match(name, /^gatehouse_[a-z][\w-]+$/)
  })

  test('no well-known framework uses one of ours', async ({ assert }) => {
    const names = await cookiesOfVisit()
    const ours = [...names, cookieName('access'), cookieName('refresh')]
    for (const [framework, theirs] of Object.entries(OF_FRAMEWORKS)) {
      const shared = theirs.filter((name) => ours.includes(name))
      assert.deepEqual(shared, [], framework)
    }
  })

  test('only https has a prefix, by path', ({ assert }) => {
    assert.equal(cookieName('session'), 'gatehouse_session')
    assert.equal(interactionCookieName('resume'), 'gatehouse_resume')
  })
})

test.group('Cookie names | upgrade', () => {
  async function signedIn(email: string) {
    const browser = new TestBrowser()
    const answer = await browser.submit('/sign-in', { email, password: PASSWORD })
    const [session, device] = ['session', 'device'].map((name) =>
      answer.headers.getSetCookie().find((line) => line.startsWith(`gatehouse_${name}=`))!
    )
    const valueOf = (line: string) => /=([^;]*)/.exec(line)![1]
    return { session: valueOf(session), device: valueOf(device) }
  }

  test('a session cookie by its previous name is ignored', async ({ assert }) => {
    const { email } = await createUser()
    const browser = new TestBrowser()
    const { session } = await signedIn(email)
    browser.setCookie('session', session)
    const answer = await browser.request('/account')
    assert.equal(answer.status, 302)
    assert.match(answer.headers.get('location')!, /^\/sign-in/)
  })

  test('a device by its previous name stays known', async ({ client, assert }) => {
    const user = await createUser()
    const known = new TestBrowser()
    const { device } = await signedIn(user.email)
    known.setCookie('device', device)
    await endSessions(user.id)
    const wrong = { email: user.email, password: 'Wrong-h0rse!' }
    for (let count = 1; count <= 5; count++) await login(client, wrong)
    const sent = { email: user.email, password: PASSWORD }
    const answer = await known.submit('/sign-in', sent)
    const unknown = await new TestBrowser().submit('/sign-in', sent)
    assert.equal(answer.status, 303)
    assert.equal(unknown.status, 403)
    assert.match(answer.headers.getSetCookie().join('\n'), /^gatehouse_device=ey/m)
  })

  test('a session of another application is no obstacle', async ({ assert }) => {
    const { email } = await createUser()
    const browser = new TestBrowser()
    browser.setCookie('session', 'eyJzdGF0ZSI6IngifQ.aR2d.signature')
    browser.setCookie('device', 'tablet')
    const answer = await browser.submit('/sign-in', { email, password: PASSWORD })
    assert.equal(answer.status, 303)
    assert.notMatch(answer.headers.getSetCookie().join('\n'), /^(session|device)=/m)
  })
})
