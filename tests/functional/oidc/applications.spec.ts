import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser } from '#tests/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/oidc'

const PAGE = 'http://gatehouse.test/account/applications'
const INTERACTION = /^\/oauth\/interaction\//
const WITHDRAW = /\/withdraw$/

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
    const after = await browser.submit(list, WITHDRAW)
    assert.notInclude(after.html, 'Wiki of Ada')
    const info = oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    await assert.rejects(() => info)
    const again = await browser.open(url)
    assert.match(again.url.pathname, INTERACTION)
  })

  test('a first party is listed while one is signed in', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const app = await application({ name: 'Intranet', kind: 'first_party' })
    const before = await browser.open(PAGE)
    await tokensOf(app, browser)
    const list = await browser.open(PAGE)
    assert.notInclude(before.html, 'Intranet')
    assert.include(list.html, 'Intranet')
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
