import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { createAdmin } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'

test.group('OpenID provider | sign-in', () => {
  test('openid-client gets tokens and the claims', async ({ assert }) => {
    const user = await createAdmin()
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(user)
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    assert.equal(answer.url.origin, 'https://app.example.org', answer.html)
    assert.equal(answer.url.searchParams.get('iss'), settings.issuer)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const claims = tokens.claims()!
    assert.equal(claims.sub, user.id)
    assert.equal(claims.acr, 'urn:gatehouse:acr:pwd')
    assert.deepEqual(claims.amr, ['pwd'])
    assert.properties(claims, ['auth_time', 'sid'])
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.equal(info.email, user.email)
  })

  test('a refresh gets another access token', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(await createAdmin())
    const tokens = await tokensOf(app, browser, { scope: 'openid offline_access' })
    const renewed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    assert.notEqual(renewed.access_token, tokens.access_token)
  })
})
