import { test } from '@japa/runner'
import { findClientById } from '#oidc/clients/client_rows'
import { createAdmin } from '#tests/support/fixtures'
import { application, browserOf, type Application } from '#tests/support/oidc'
import { ask, ELSEWHERE } from '#tests/support/refusals'
import { recordsWhere } from '#tests/support/trail'

/* How an administrator responds to a refusal on the page of its application. */

const HOSTILE = 'https://elsewhere.example.org/"><script>alert(1)</script>'

async function consoleOf(app: Application) {
  const browser = await browserOf(await createAdmin())
  const page = await browser.open(`${browser.issuer}/admin/clients/${app.client.id}`)
  return { browser, page }
}

const withoutPkce = (app: Application) =>
  ask(app, { code_challenge: '', code_challenge_method: '' })

test.group('Refusals of an application | console', () => {
  test('a setting has a button that allows it', async ({ assert }) => {
    const app = await application({ requirePkce: true })
    await withoutPkce(app)
    const { browser, page } = await consoleOf(app)
    assert.include(page.html, 'No PKCE (S256)')
    const after = await browser.submit(page, /allow\/requirePkce/)
    assert.include(after.html, 'The changes were saved.')
    const changed = await findClientById(app.client.id)
    assert.isFalse(changed?.requirePkce)
    assert.notInclude(after.html, 'allow/requirePkce')
    const events = await recordsWhere({ action: 'client.updated' })
    assert.equal(events.at(-1)!.details.clientId, app.client.clientId)
  })

  test('a public client has no button that drops PKCE', async ({ assert }) => {
    const app = await application({ tokenEndpointAuthMethod: 'none' })
    await withoutPkce(app)
    const { page } = await consoleOf(app)
    assert.include(page.html, 'No PKCE (S256)')
    assert.notInclude(page.html, '/allow/')
  })

  test('an address leads to the form, with nothing filled in', async ({ assert }) => {
    const app = await application()
    await ask(app, { redirect_uri: HOSTILE })
    const { page } = await consoleOf(app)
    assert.include(page.html, 'href="#field-redirectUris"')
    assert.include(page.html, 'Registered: app.example.org')
    assert.notInclude(page.html, '/allow/')
    assert.notInclude(page.html, '<script>alert')
    const [, field] = /<textarea[^>]*name="redirectUris"[^>]*>([^<]*)</.exec(page.html)!
    assert.notInclude(field, 'elsewhere')
  })

  test('a setting without a button is not found', async ({ assert }) => {
    const app = await application()
    const { browser, page } = await consoleOf(app)
    const path = `/admin/clients/${app.client.id}`
    const html = page.html.replace(`"post" action="${path}"`, `"post" action="${path}/allow/kind"`)
    const response = await browser.send({ ...page, html }, /allow.kind/)
    assert.equal(response.status, 404)
    const after = await findClientById(app.client.id)
    assert.equal(after?.kind, app.client.kind)
  })

  test('a page without refusals says so', async ({ assert }) => {
    const app = await application()
    await ask(app, {})
    const { page } = await consoleOf(app)
    assert.include(page.html, 'No request was refused in the last 24 hours.')
    assert.notInclude(page.html, ELSEWHERE)
  })
})
