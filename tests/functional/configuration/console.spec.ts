import { test } from '@japa/runner'
import { findClientById } from '#oidc/clients/client_rows'
import { createAdmin } from '#tests/support/fixtures'
import { attribute, unescape } from '#tests/support/html'
import { browserOf } from '#tests/support/oidc'
import { FILE, managedAccount, managedClient, managedGroup } from '../matrix/managed_records.ts'

/* What a configuration file manages is read-only in the console. */

async function opened(path: string) {
  const browser = await browserOf(await createAdmin())
  const page = await browser.open(`${browser.issuer}/admin/${path}`)
  return { browser, page }
}

/** Returns the tag of the element that has this name. */
function controlOf(html: string, name: string) {
  const [control] = new RegExp(`<(input|select|textarea)[^>]*name="${name}"[^>]*>`).exec(html) ?? []
  return control ?? ''
}

/** Returns what a browser would send of the form: no disabled fields and no unchecked boxes. */
function sentBy(html: string) {
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? []
  const form = forms.find((each) => each.includes('name="shown"'))!
  const body = new URLSearchParams()
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const isBox = attribute(tag, 'type') === 'checkbox'
    const isSent = !/\sdisabled\b/.test(tag) && (!isBox || /\schecked\b/.test(tag))
    if (isSent) body.append(attribute(tag, 'name'), attribute(tag, 'value'))
  }
  for (const [, tag, text] of form.matchAll(/<textarea([^>]*)>\n?([\s\S]*?)<\/textarea>/g))
    body.append(attribute(tag, 'name'), unescape(text))
  for (const [, tag, options] of form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
    const chosen = /<option[^>]*selected[^>]*>/.exec(options)?.[0] ?? ''
    if (!/\sdisabled\b/.test(tag)) body.append(attribute(tag, 'name'), attribute(chosen, 'value'))
  }
  return body
}

test.group('Console | managed records', () => {
  test('a client shows the file and locks what it names', async ({ assert }) => {
    const { client } = await managedClient()
    const { browser, page } = await opened(`clients/${client.id}`)
    assert.include(page.html, `The file ${FILE} manages what is locked here`)
    assert.include(controlOf(page.html, 'name'), 'readonly')
    assert.include(controlOf(page.html, 'allowedGroups'), 'readonly')
    assert.notInclude(controlOf(page.html, 'redirectUris'), 'readonly')
    assert.notInclude(page.html, `/admin/clients/${client.id}/delete`)
    assert.notInclude(page.html, `/admin/clients/${client.id}/rotate-secret`)
    const body = sentBy(page.html)
    body.set('homeUrl', 'https://app.example.org')
    const after = await browser.open(page.url, { method: 'POST', body })
    assert.include(after.html, 'The changes were saved.')
    const changed = await findClientById(client.id)
    assert.deepEqual(
      [changed!.homeUrl, changed!.scopes],
      ['https://app.example.org', client.scopes]
    )
  })

  test('a form that changes a locked field is refused', async ({ assert }) => {
    const { client } = await managedClient()
    const { browser, page } = await opened(`clients/${client.id}`)
    const body = sentBy(page.html)
    body.set('name', 'Other')
    const after = await browser.open(page.url, { method: 'POST', body })
    assert.include(after.html, `The file ${FILE} manages this: change it there`)
    const kept = await findClientById(client.id)
    assert.equal(kept!.name, client.name)
  })

  test('a group and a service account show the file', async ({ assert }) => {
    const [group, { account }] = [await managedGroup(), await managedAccount()]
    for (const path of [`groups/${group.id}`, `users/${account.id}`]) {
      const { page } = await opened(path)
      assert.include(page.html, FILE)
      assert.notInclude(page.html, `/admin/${path}/delete`)
    }
    const { page } = await opened(`users/${account.id}`)
    assert.include(controlOf(page.html, 'role'), 'disabled')
  })
})
