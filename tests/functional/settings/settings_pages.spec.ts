import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import brand from '#config/brand'
import env from '#start/env'
import { listSettings } from '#settings/list_settings'
import { changeSettings } from '#settings/change_settings'
import { listProviders } from '#settings/external_providers'
import { SYSTEM } from '#audit/actor'
import { forgetSettings } from '#tests/support/settings'
import { htmlOf, person, textOf } from '../account/person.ts'
import { administrator, fieldsWith, PATH } from './settings_browser.ts'

async function providers() {
  const listed = await listProviders()
  return listed.filter(({ source }) => source === 'console')
}

test.group('Settings | pages', (group) => {
  group.each.teardown(forgetSettings)

  test('show every setting with its source, and no secret', async ({ assert }) => {
    const { open } = await administrator()
    const page = await open()
    const { settings } = await listSettings()
    for (const { key } of settings) assert.include(page, `<code>${key}</code>`)
    for (const secret of env.get('APP_KEY')) assert.notInclude(page, secret)
    assert.include(page, 'id="field-BRAND_NAME"')
  })

  test('save what was typed, and nothing else', async ({ assert }) => {
    const { send, open } = await administrator()
    const fields = await fieldsWith({ BRAND_NAME: 'Acme', BRAND_COLOR: '' })
    const answer = await send('/brand', fields)
    assert.equal(answer.headers.get('location'), `${PATH}#brand`)
    assert.equal(brand.name, 'Acme')
    const { settings } = await listSettings()
    const stored = settings.filter(({ source }) => source === 'console')
    assert.deepEqual(
      stored.map(({ key }) => key),
      ['BRAND_NAME']
    )
    assert.match(await open(), /value="Acme"[^>]*/)
    await send('/brand', await fieldsWith({ BRAND_NAME: '' }, { BRAND_NAME: 'Acme' }))
    assert.equal(brand.name, 'Gatehouse')
  })

  test('show a wrong value beside its field', async ({ assert }) => {
    const { send } = await administrator()
    const answer = await send('/brand', await fieldsWith({ BRAND_COLOR: '#ffff00' }))
    assert.equal(answer.status, 422)
    assert.match(await htmlOf(answer), /field-BRAND_COLOR-error[^]*contrast/)
  })

  test('keep what was typed when another administrator was quicker', async ({ assert }) => {
    const { send } = await administrator()
    const fields = await fieldsWith({ BRAND_NAME: 'Mine', BRAND_COLOR: '' })
    await changeSettings(
      { BRAND_NAME: 'Theirs', BRAND_COLOR: '#aa2233' },
      { actor: SYSTEM, ifMatch: null }
    )
    const answer = await send('/brand', fields)
    assert.equal(answer.status, 412)
    const page = await htmlOf(answer)
    assert.match(page, /Another administrator changed this meanwhile[^]*Theirs/)
    assert.match(page, /name="BRAND_NAME"[^>]*value="Mine"/)
    assert.match(page, /name="BRAND_COLOR"[^>]*value="#aa2233"/)
    assert.equal(brand.name, 'Theirs')
  })

  test('ask for a recent authentication', async ({ assert }) => {
    const { send } = await administrator({ isOld: true })
    const answer = await send('/brand', await fieldsWith({ BRAND_NAME: 'Acme' }))
    assert.equal(answer.status, 403)
    assert.include(await textOf(answer), 'Change settings of this installation.')
    assert.equal(brand.name, 'Gatehouse')
  })

  test('a form without its version changes nothing', async ({ assert }) => {
    const { send } = await administrator()
    const answer = await send('/brand', { BRAND_NAME: 'Acme' })
    assert.equal(answer.status, 412)
  })

  test('answer users with 403', async ({ assert }) => {
    const { browser } = await person()
    const { status } = await browser.request(PATH)
    assert.equal(status, 403)
  })
})

test.group('Settings | mail page', (group) => {
  group.each.teardown(forgetSettings)

  const server = { SMTP_HOST: '127.0.0.1', SMTP_PORT: '1', SMTP_PASSWORD: 'Sesame-9-open' }

  test('a test says what the server answers, and shows no password', async ({ assert }) => {
    const { send } = await administrator()
    const page = await htmlOf(send('/mail/test', await fieldsWith(server)))
    assert.include(page, 'No mail server answers at this host and port.')
    assert.match(page, /name="SMTP_HOST"[^>]*value="127.0.0.1"/)
    assert.notInclude(page, server.SMTP_PASSWORD)
    const { settings } = await listSettings()
    assert.equal(settings.find(({ key }) => key === 'SMTP_HOST')!.source, 'default')
  })

  test('a password that was tried is saved without being typed again', async ({ assert }) => {
    const { send, open } = await administrator()
    const tried = await htmlOf(send('/mail/test', await fieldsWith(server)))
    const [, sealed] = /name="typed_secret_SMTP_PASSWORD" value="([^"]+)"/.exec(tried)!
    const fields = await fieldsWith({ ...server, SMTP_PASSWORD: '' })
    const answer = await send('/mail', { ...fields, typed_secret_SMTP_PASSWORD: sealed })
    assert.equal(answer.status, 303)
    const page = await open()
    assert.include(page, 'Saved. Leave empty to keep it.')
    assert.notInclude(page, server.SMTP_PASSWORD)
  })

  test('a sealed password of another session is none', async ({ assert }) => {
    const [one, other] = [await administrator(), await administrator()]
    const tried = await htmlOf(one.send('/mail/test', await fieldsWith(server)))
    const [, sealed] = /name="typed_secret_SMTP_PASSWORD" value="([^"]+)"/.exec(tried)!
    const fields = await fieldsWith({ SMTP_HOST: '127.0.0.1' })
    await other.send('/mail', { ...fields, typed_secret_SMTP_PASSWORD: sealed })
    const { settings } = await listSettings()
    assert.isNull(settings.find(({ key }) => key === 'SMTP_PASSWORD')!.value)
  })
})

test.group('Settings | provider pages', (group) => {
  group.each.teardown(forgetSettings)

  const input = {
    name: 'contoso',
    issuer: 'https://id.invalid',
    clientId: 'gatehouse',
    clientSecret: 'Sesame-9-open',
  }

  test('a provider that fails its test is saved only on request', async ({ assert }) => {
    const { send } = await administrator()
    const page = await htmlOf(send('/providers', input))
    assert.include(page, 'name="anyway"')
    assert.notInclude(page, input.clientSecret)
    assert.deepEqual(await providers(), [])
    const [, sealed] = /name="typed_secret_clientSecret" value="([^"]+)"/.exec(page)!
    const again = { ...input, clientSecret: '', typed_secret_clientSecret: sealed, anyway: 'true' }
    const answer = await send('/providers', again)
    assert.equal(answer.status, 303)
    const [saved] = await providers()
    assert.deepInclude(saved, { name: 'contoso', issuer: input.issuer })
  })

  test('a saved provider is changed and deleted', async ({ assert }) => {
    const { send, browser } = await administrator()
    await send('/providers', { ...input, anyway: 'true' })
    const page = await htmlOf(browser.request(`${PATH}/providers/contoso`))
    assert.include(page, '/auth/external/contoso/callback')
    const changes = { issuer: input.issuer, clientId: 'other', anyway: 'true' }
    await send('/providers/contoso', changes)
    const [changed] = await providers()
    assert.equal(changed.clientId, 'other')
    const moved = await send('/providers/contoso', { ...changes, issuer: 'https://other.invalid' })
    assert.match(await htmlOf(moved), /field-clientSecret-error/)
    await send('/providers/contoso/delete', {})
    assert.deepEqual(await providers(), [])
  })

  test('one that the environment hides has a hint and no link', async ({ assert }) => {
    const { send, open } = await administrator()
    await send('/providers', { ...input, anyway: 'true' })
    const renamed = { name: 'acme', version: randomUUID() }
    await db.from('external_providers').where('name', input.name).update(renamed)
    const page = await open()
    const items = page.split('<div class="item">')
    const hint = 'The environment overrides a value that was saved here.'
    const hinted = items.filter((item) => item.includes(hint))
    assert.lengthOf(hinted, 1)
    assert.include(hinted[0], '<bdi>acme</bdi>')
    assert.notInclude(hinted[0], 'href="/admin/settings/providers/acme"')
  })

  test('a wrong name is shown beside its field', async ({ assert }) => {
    const { send } = await administrator()
    const answer = await send('/providers', { ...input, name: 'No Name' })
    assert.equal(answer.status, 422)
    assert.include(await htmlOf(answer), 'field-name-error')
  })
})

test.group('Settings | brand preview', () => {
  test('draws what is typed, as text', async ({ assert }) => {
    const { browser } = await administrator()
    const query = new URLSearchParams({
      kind: 'mail',
      theme: 'dark',
      name: 'A&B',
      color: '#aa2233',
    })
    const answer = await browser.request(`${PATH}/preview.svg?${query}`)
    assert.include(answer.headers.get('content-type'), 'image/svg+xml')
    const svg = await answer.text()
    assert.include(svg, 'A&amp;B')
    assert.include(svg, '#aa2233')
  })

  test('draws the default for what cannot be saved: {name}{color}')
    .with([
      { name: '<script>alert(1)</script>', color: '' },
      { name: '', color: 'red;}*{}' },
    ])
    .run(async ({ assert }, given) => {
      const { browser } = await administrator()
      const query = new URLSearchParams(given)
      const svg = await htmlOf(browser.request(`${PATH}/preview.svg?${query}`))
      assert.notInclude(svg, '<script')
      assert.notInclude(svg, 'red;')
    })
})
