import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { giveConsent } from '#oidc/consents/consents'
import { updateUser } from '#users/update_user'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest, Browser, tokensOf } from '#tests/support/oidc'
import { SCREENS } from './screens.ts'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const HOSTILE = `Grafana ${'Wide'.repeat(16)} مرحبا <b>bold</b>`
const AFTER = 'https://app.example.org/goodbye'

test.group('Application | account selection', (group) => {
  withBrowser(group)

  test('the choice of an account is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const app = await application({ kind: 'first_party', name: HOSTILE })
      const { url } = await authorizationRequest(app, { prompt: 'select_account' })
      const { page, user } = await visitAs(await createUser(), { path: '/account', ...screen })
      await updateUser(user.id, { username: HOSTILE }, SYSTEM)
      await page.goto(url.pathname + url.search)
      await page.locator('button[value=allow]').waitFor()
      await assertAccessible(page, assert)
    })

  test('the consent to claims is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const app = await application({ name: HOSTILE, refreshTokens: 'always' })
      const claims = JSON.stringify({ userinfo: { email: null } })
      const { url } = await authorizationRequest(app, { scope: 'openid', claims })
      const { page } = await visitAs(await createUser(), { path: '/account', ...screen })
      await page.goto(url.pathname + url.search)
      await page.locator('button[value=allow]').waitFor()
      await assertAccessible(page, assert)
    })

  test('a sign-out that cannot be checked is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const { page } = await visitAs(await createUser(), { path: '/account', ...screen })
      await page.goto('/oauth/logout?id_token_hint=malformed')
      await page.locator('button[autofocus]').waitFor()
      await assertAccessible(page, assert)
    })
})

test.group('Application | logout of a third party', (group) => {
  withBrowser(group)

  test('the question about the rest is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const user = await createUser()
      const app = await application({ name: HOSTILE, postLogoutRedirectUris: [AFTER] })
      const access = { scopes: ['openid'], resources: [] }
      await giveConsent({ userId: user.id, clientId: app.client.clientId }, access, SYSTEM)
      const { page } = await visitAs(user, { path: '/account', ...screen })
      const browser = new Browser()
      for (const { name, value } of await page.context().cookies()) browser.cookies.set(name, value)
      const { id_token: hint } = await tokensOf(app, browser, { scope: 'openid' })
      const query = { id_token_hint: hint!, post_logout_redirect_uri: AFTER }
      await page.goto(`/oauth/logout?${new URLSearchParams(query)}`)
      await page.getByRole('link', { name: HOSTILE }).waitFor()
      await assertAccessible(page, assert)
    })
})
