import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { listApplications } from '#oidc/grants/applications'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  tokensOf,
  type Application,
} from '#tests/support/oidc'

const PAGE = 'http://gatehouse.test/account/applications'
const INTERACTION = /^\/oauth\/interaction\//
const WITHDRAW = /\/withdraw$/
const WITHDRAW_BY_ADMIN = /\/applications\/withdraw$/

/** The page also lists other applications that the user may use, without a withdrawal. */
const withdrawalOf = ({ client }: Application) => `name="client_id" value="${client.clientId}"`

test.group('Account | applications', () => {
  test('what was allowed is listed and can be withdrawn', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ name: 'Wiki of Ada' })
    const browser = await browserOf(user)
    const { url, checks } = await authorizationRequest(app)
    const consent = await browser.open(url)
    const answer = await browser.submit(consent, INTERACTION, { decision: 'allow' })
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const list = await browser.open(PAGE)
    assert.include(list.html, 'Wiki of Ada')
    assert.include(list.html, 'see your e-mail address')
    assert.include(list.html, withdrawalOf(app))
    const after = await browser.submit(list, WITHDRAW)
    assert.notInclude(after.html, withdrawalOf(app))
    const info = oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    await assert.rejects(() => info)
    const again = await browser.open(url)
    assert.match(again.url.pathname, INTERACTION)
  })

  test('the export has what was allowed', async ({ client, assert }) => {
    const user = await createUser()
    const app = await application({ name: 'Wiki of Ada' })
    const browser = await browserOf(user)
    const { url } = await authorizationRequest(app, { scope: 'openid email' })
    await browser.submit(await browser.open(url), INTERACTION, { decision: 'allow' })
    const { headers } = await signedIn(client, user)
    const response = await client.get('/auth/export').headers(headers)
    const [exported, ...others] = response.body().applications
    const allowed = { name: 'Wiki of Ada', scopes: ['openid', 'email'], resources: [] }
    assert.containsSubset(exported, { clientId: app.client.clientId, ...allowed })
    assert.closeTo(Date.parse(exported.consentedAt), Date.now(), 60_000)
    assert.lengthOf(others, 0)
  })

  test('an administrator sees and withdraws what was allowed', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ name: 'Wiki of Ada' })
    const browser = await browserOf(user)
    const { url } = await authorizationRequest(app)
    await browser.submit(await browser.open(url), INTERACTION, { decision: 'allow' })
    const administrator = await browserOf(await createAdmin())
    const page = await administrator.open(`http://gatehouse.test/admin/users/${user.id}`)
    assert.include(page.html, 'Wiki of Ada')
    assert.include(page.html, 'allowed openid profile email')
    const after = await administrator.submit(page, WITHDRAW_BY_ADMIN)
    assert.include(after.html, 'was signed out of the application')
    assert.deepEqual(await listApplications(user.id), [])
  })

  test('{by} withdraws no application with a NUL')
    .with([
      { by: 'a user', withdraw: WITHDRAW },
      { by: 'an administrator', withdraw: WITHDRAW_BY_ADMIN },
    ])
    .run(async ({ assert }, { by, withdraw }) => {
      const user = await createUser()
      const app = await application({ kind: 'first_party' })
      const browser = await browserOf(user)
      await tokensOf(app, browser)
      const isOwn = by === 'a user'
      const asking = isOwn ? browser : await browserOf(await createAdmin())
      const path = isOwn ? PAGE : `http://gatehouse.test/admin/users/${user.id}`
      const answer = await asking.submit(await asking.open(path), withdraw, { client_id: 'a\0b' })
      assert.include(answer.html, '<title>Not found')
    })

  test('a first party is listed while one is signed in', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const app = await application({ name: 'Intranet', kind: 'first_party' })
    const before = await browser.open(PAGE)
    await tokensOf(app, browser)
    const list = await browser.open(PAGE)
    assert.notInclude(before.html, withdrawalOf(app))
    assert.include(list.html, withdrawalOf(app))
  })

  test('the applications of others cannot be withdrawn', async ({ assert }) => {
    const [one, other] = await Promise.all([1, 2].map(async () => browserOf(await createUser())))
    const app = await application({ kind: 'first_party' })
    const tokens = await tokensOf(app, one)
    await tokensOf(app, other)
    await other.submit(await other.open(PAGE), WITHDRAW)
    const { sub } = tokens.claims()!
    await assert.doesNotReject(() => oidc.fetchUserInfo(app.config, tokens.access_token, sub))
  })
})
