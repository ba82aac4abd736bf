import { test } from '@japa/runner'
import { findClientById } from '#oidc/clients/client_rows'
import { createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import {
  assertAccessible,
  assertAccessibleInEachLook,
  confirmPassword,
  visitAs,
  withBrowser,
} from './visitor.ts'

const HOSTILE = [
  '<script>document.title="owned"</script>',
  '{{ 7 * 7 }} @{{ 7 * 7 }} {{{ 7 * 7 }}}',
  `عبد الرحمن 🦊 ${'Wolfeschlegelsteinhausen'.repeat(3)}`,
  'x'.repeat(100),
]

/** Addresses of the maximum length, without a character at which a line could break. */
const ADDRESSES = Array.from({ length: 50 }, (_, index) => `https://${index}.${host()}/callback`)

function host() {
  return `${'subdomain'.repeat(6)}.${'subdomain'.repeat(6)}.example.org`
}

const OPEN_ALL = 'for (const each of document.querySelectorAll("details")) each.open = true'

const pagesOf = (id: string) => ['', '/rotate-secret', '/delete'].map((page) => `/${id}${page}`)

test.group('Console | pages of an application', (group) => {
  withBrowser(group)

  test('are accessible and fit, light, dark and narrow', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    await tokensOf(app, await browserOf(await createUser()))
    const publicOne = await application({
      tokenEndpointAuthMethod: 'none',
      redirectUris: ['org.example.app:/cb'],
    })
    const { page } = await visitAs(undefined, { reducedMotion: 'reduce' })
    for (const path of [...pagesOf(app.client.id), ...pagesOf(publicOne.client.id)]) {
      await page.goto(`/admin/clients${path}`)
      await page.evaluate(OPEN_ALL)
      await assertAccessibleInEachLook(page, assert)
    }
  })

  test('show a hostile name as the text it is')
    .with(HOSTILE)
    .run(async ({ assert }, name) => {
      const { client } = await application({ name, redirectUris: ADDRESSES })
      const { page } = await visitAs(undefined, { viewport: { width: 360, height: 740 } })
      let dialogs = 0
      page.on('dialog', (dialog) => (dialogs++, dialog.dismiss()))
      for (const path of ['', ...pagesOf(client.id)]) {
        await page.goto(`/admin/clients${path}`)
        assert.equal(await page.locator('bdi', { hasText: name }).first().innerText(), name)
        assert.equal(await page.locator('main img, main script').count(), 0)
        await assertAccessible(page, assert)
      }
      assert.equal(dialogs, 0)
    })

  test('refuse too long a name, and lose nothing', async ({ assert }) => {
    const { client } = await application({ name: 'Plain' })
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/clients/${client.id}`)
    const name = page.getByLabel('Name', { exact: true })
    await name.evaluate((input: any) => input.removeAttribute('maxlength'))
    await name.fill('y'.repeat(200))
    await page.getByLabel('Redirect addresses').fill('https://wiki.example.org/cb')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('#field-name-error').getByText('At most 100 characters').waitFor()
    assert.equal(await name.inputValue(), 'y'.repeat(200))
    assert.equal(
      await page.getByLabel('Redirect addresses').inputValue(),
      'https://wiki.example.org/cb'
    )
    assert.equal((await findClientById(client.id))!.name, 'Plain')
  })

  test('keep a long form over the question for the password', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, { path: `/admin/clients/${client.id}` })
    const long = ADDRESSES.map((address) => address.padEnd(800, 'x'))
    await page.getByLabel('Redirect addresses').fill(long.join('\n'))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await confirmPassword(page)
    await page.getByText('The changes were saved.').waitFor()
    const { redirectUris } = (await findClientById(client.id))!
    assert.deepEqual(redirectUris, long)
  })

  test('answer a form that no page of ours sends', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    const path = `/admin/clients/${client.id}`
    await page.goto(path)
    const token = await page.locator('input[name="_csrf"]').first().inputValue()
    const odd = ['scopes[a]', 'grantTypes', 'redirectUris[]', 'name[]', 'kind[x]', 'shown[]']
    const form = { _csrf: token, ...Object.fromEntries(odd.map((name) => [name, 'x'])) }
    const answers = [
      await page.request.post(path, { form }),
      await page.request.post('/admin/clients', { form }),
      await page.request.post('/admin/clients/none', { form }),
      await page.request.get('/admin/clients/create?for[]=grafana&for[x]=y'),
    ]
    assert.deepEqual(
      answers.map((answer) => answer.status()),
      [422, 422, 404, 200]
    )
  })

  test('take fifty addresses and refuse a hundred', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/clients/${client.id}`)
    const field = page.getByLabel('Redirect addresses')
    const hundred = [...ADDRESSES, ...ADDRESSES.map((address) => `${address}/2`)].join('\n')
    await field.fill(hundred)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('#field-redirectUris-error').getByText('At most 50 lines').waitFor()
    assert.equal(await field.inputValue(), hundred)
    await field.fill(ADDRESSES.join('\n'))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    assert.lengthOf((await findClientById(client.id))!.redirectUris, 50)
  })
})
