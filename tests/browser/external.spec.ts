import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { OpenIdProvider } from '#tests/servers/openid'
import { visit, withBrowser } from './visitor.ts'

const acme = new OpenIdProvider(
  process.env.OIDC_ACME_ISSUER!,
  `${process.env.APP_URL}/auth/external/acme/callback`
)

/** Takes a user through the provider's own pages, from the link to the last click. */
async function signInAtProvider(page: Page, path: string, name: string) {
  await page.goto(`${process.env.APP_URL}${path}`)
  await page.locator('[name=login]').fill(name)
  await page.locator('[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.getByText('Authorize').waitFor()
  await page.locator('button[type=submit]').click()
}

function someName() {
  return `ada-${randomUUID().slice(0, 8)}`
}

test.group('External login | in a browser', (group) => {
  withBrowser(group)
  group.setup(() => acme.start())
  group.teardown(() => acme.stop() as Promise<void>)

  test('comes back from the provider signed in', async ({ assert }) => {
    const name = someName()
    const page = await visit()
    await signInAtProvider(page, '/auth/external/acme', name)
    await page.waitForURL('**/auth/external/acme/callback?**')
    const { user, tokenType } = JSON.parse(await page.locator('body').innerText())
    assert.equal(user.email, `${name}@example.org`)
    assert.equal(tokenType, 'Bearer')
  })

  test('hands a code to the page that asked', async ({ assert, client }) => {
    const name = someName()
    const page = await visit()
    const returnTo = encodeURIComponent('http://app.gatehouse.test/back?to=inbox')
    const [led] = await Promise.all([
      page.waitForRequest('http://app.gatehouse.test/**'),
      signInAtProvider(page, `/auth/external/acme?returnTo=${returnTo}`, name),
    ])
    const { searchParams } = new URL(led.url())
    assert.equal(searchParams.get('to'), 'inbox')
    const code = searchParams.get('code')
    const [first, second] = [
      await client.post('/auth/external/exchange').json({ code }),
      await client.post('/auth/external/exchange').json({ code }),
    ]
    assert.equal(first.body().user.email, `${name}@example.org`)
    assert.notEqual(second.status(), 200)
  })

  test('is finished by its own browser alone', async ({ assert }) => {
    const [victim, attacker] = [await visit(), await visit()]
    await attacker.route('**/callback?**', (route) => route.abort())
    const [received] = await Promise.all([
      attacker.waitForRequest('**/callback?**'),
      signInAtProvider(attacker, '/auth/external/acme', someName()).catch(() => {}),
    ])
    const callback = received.url()
    const response = await victim.goto(callback)
    assert.include(callback, 'code=')
    assert.equal(response!.status(), 400)
    assert.notInclude(await victim.content(), 'accessToken')
  })
})
