import { join } from 'node:path'
import { test, timeTravel } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import brand from '#config/brand'
import config from '#config/settings'
import db from '@adonisjs/lucid/services/db'
import signUp from '#config/sign_up'
import env, { givenValues } from '#start/env'
import { SCOPES } from '#auth/api_keys/scopes'
import { SYSTEM } from '#audit/actor'
import { canAnAdminSignIn } from '#auth/last_admin'
import { changeSettings } from '#settings/change_settings'
import { settingValue } from '#settings/values/current'
import { writeSetting } from '#settings/values/setting_rows'
import { createAdmin, createUser, keyOf, PASSWORD, signedIn } from '#tests/support/fixtures'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { recordsWhere } from '#tests/support/trail'
import { smallPicture } from '../matrix/sensitive_changes.ts'

async function asAdmin(client: ApiClient) {
  const admin = await createAdmin()
  const { headers } = await signedIn(client, admin)
  const list = await client.get('/settings').headers(headers)
  const etag = list.header('etag')!
  const change = (changes: object, ifMatch = etag) =>
    client.patch('/settings').headers(headers).header('if-match', ifMatch).json(changes)
  return { admin, headers, list, etag, change }
}

function find(settings: { key: string }[], name: string) {
  return settings.find(({ key }) => key === name)
}

test.group('Settings | reading', (group) => {
  silenceSettingsMails(group)
  group.each.teardown(forgetSettings)

  test('an administrator sees every setting and its source', async ({ client, assert }) => {
    const { list } = await asAdmin(client)
    list.assertStatus(200)
    assert.match(list.header('etag')!, /^"[\w-]+"$/)
    assert.deepInclude(find(list.body(), 'BRAND_NAME'), {
      value: 'Gatehouse',
      source: 'default',
      default: 'Gatehouse',
      writable: true,
      secret: false,
    })
    assert.deepInclude(find(list.body(), 'ACCESS_TOKEN_TTL'), { value: '15m', writable: false })
    assert.deepInclude(find(list.body(), 'APP_KEY'), { value: 'set', secret: true })
  })

  test('a default that follows from other settings is shown', async ({ client, assert }) => {
    const { list } = await asAdmin(client)
    const folder = join(env.get('DATA_DIR'), 'backups')
    const unset = { value: folder, source: 'default', default: folder }
    assert.deepInclude(find(list.body(), 'BACKUP_DIR'), unset)
    const url = `http://localhost:${env.get('PORT')}`
    assert.deepInclude(find(list.body(), 'APP_URL'), { default: url })
    assert.deepInclude(find(list.body(), 'HOST'), { default: '127.0.0.1' })
  })

  test('settings of providers and sentinels are listed', async ({ client, assert }) => {
    const { list } = await asAdmin(client)
    const settings: { key: string; secret: boolean; value: unknown }[] = list.body()
    const issuer = process.env.OIDC_HOSTILE_ISSUER
    const given = { source: 'environment', writable: false, default: null }
    assert.deepInclude(find(settings, 'OIDC_HOSTILE_ISSUER'), { value: issuer, ...given })
    assert.deepInclude(find(settings, 'OIDC_ACME_CLIENT_SECRET'), { value: 'set', ...given })
    const unset = { value: 'off', source: 'default', default: 'off' }
    assert.deepInclude(find(settings, 'OIDC_ACME_GROUPS_CLAIM'), unset)
    assert.deepInclude(find(settings, 'GOOGLE_CLIENT_ID'), { value: 'gatehouse', secret: false })
    assert.deepInclude(find(settings, 'REDIS_SENTINEL_PASSWORD'), { value: null, secret: true })
    const secrets = settings.filter(({ key }) => key.endsWith('_CLIENT_SECRET'))
    assert.lengthOf(secrets, 4)
    for (const { key, secret, value } of secrets)
      assert.deepEqual([secret, value], [true, 'set'], key)
    assert.notInclude(JSON.stringify(settings), process.env.GOOGLE_CLIENT_SECRET!)
    assert.lengthOf(new Set(settings.map(({ key }) => key)), settings.length)
  })

  test('users, keys and people without an account see none', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const byUser = await client.get('/settings').headers(headers)
    byUser.assertStatus(403)
    const { headers: key } = await keyOf(await createAdmin(), [...SCOPES])
    const byKey = await client.get('/settings').headers(key)
    byKey.assertBodyContains({ code: 'E_INSUFFICIENT_SCOPE' })
    const byNobody = await client.get('/settings')
    byNobody.assertStatus(401)
  })
})

test.group('Settings | changing', (group) => {
  silenceSettingsMails(group)
  group.each.teardown(forgetSettings)

  test('a change holds at once and is listed', async ({ client, assert }) => {
    const { change, etag } = await asAdmin(client)
    const changed = await change({ BRAND_NAME: 'Acme', SIGN_UP: 'invite', SMTP_PORT: 2525 })
    changed.assertStatus(200)
    assert.notEqual(changed.header('etag'), etag)
    assert.deepInclude(find(changed.body(), 'BRAND_NAME'), { value: 'Acme', source: 'console' })
    assert.deepInclude(find(changed.body(), 'SMTP_PORT'), { value: 2525, default: 587 })
    assert.deepEqual([brand.name, signUp.isOpen], ['Acme', false])
    const registered = await client.post('/auth/register').json({
      email: 'ada@example.org',
      username: 'Ada',
      password: PASSWORD,
    })
    registered.assertBodyContains({ code: 'E_SIGN_UP_CLOSED' })
  })

  test('null goes back to the default', async ({ client, assert }) => {
    const { change } = await asAdmin(client)
    await change({ BRAND_NAME: 'Acme' })
    const unset = await change({ BRAND_NAME: null }, '*')
    assert.deepInclude(find(unset.body(), 'BRAND_NAME'), { value: 'Gatehouse', source: 'default' })
    assert.equal(brand.name, 'Gatehouse')
  })

  test('a stored value that no rule takes any more is the default', async ({ client, assert }) => {
    const { admin, headers, change } = await asAdmin(client)
    const value = 'of-an-earlier-version'
    await db.transaction((trx) => writeSetting('SIGN_UP', { value }, { actor: SYSTEM, trx }))
    const list = await client.get('/settings').headers(headers)
    list.assertStatus(200)
    const usual = { value: 'open', source: 'default', writable: true }
    assert.deepInclude(find(list.body(), 'SIGN_UP'), usual)
    const changed = await change({ SIGN_UP: 'invite' }, '*')
    changed.assertStatus(200)
    const [event] = await recordsWhere({ action: 'settings.changed', actor_id: admin.id })
    assert.deepEqual(event.details, { SIGN_UP: { before: value, after: 'invite' } })
  })

  test('a list that has changed is read again first', async ({ client }) => {
    const { change, headers } = await asAdmin(client)
    await change({ BRAND_NAME: 'Acme' })
    const stale = await change({ BRAND_NAME: 'Other' })
    stale.assertStatus(412)
    stale.assertBodyContains({ code: 'E_CHANGED' })
    const blind = await client.patch('/settings').headers(headers).json({ BRAND_NAME: 'Other' })
    blind.assertStatus(428)
    blind.assertBodyContains({ code: 'E_PRECONDITION_REQUIRED' })
  })

  test('one wrong value changes nothing: {name}')
    .with([
      { name: 'BRAND_COLOR', value: 'red' },
      { name: 'SMTP_PORT', value: 70_000 },
      { name: 'SIGN_UP', value: 'perhaps' },
      { name: 'REQUIRE_VERIFIED_EMAIL', value: 'maybe' },
      { name: 'MAIL_FROM', value: 'nobody' },
      { name: 'SMTP_HOST', value: 'a\nb' },
      { name: 'SMTP_HOST', value: { host: 'a' } },
      { name: 'BRAND_LOGO', value: 'logo.png' },
      { name: 'LOG_LEVEL', value: 'debug' },
      { name: 'NO_SETTING', value: 'x' },
    ])
    .run(async ({ client, assert }, { name, value }) => {
      const { change } = await asAdmin(client)
      const refused = await change({ BRAND_NAME: 'Acme', [name]: value })
      refused.assertStatus(400)
      assert.equal(refused.body().errors[0].field, name)
      assert.lengthOf(await db.from('settings'), 0)
    })

  test('a secret is never shown, in lists and events', async ({ client, assert }) => {
    const { admin, change } = await asAdmin(client)
    const secret = 'hunter2-and-more'
    const changed = await change({ SMTP_HOST: 'mail.example.org', SMTP_PASSWORD: secret })
    assert.deepInclude(find(changed.body(), 'SMTP_PASSWORD'), { value: 'set', source: 'console' })
    assert.equal(settingValue('SMTP_PASSWORD'), secret)
    const row = await db.from('settings').where('key', 'SMTP_PASSWORD').firstOrFail()
    assert.notInclude(row.value, secret)
    const [event] = await recordsWhere({ action: 'settings.changed', actor_id: admin.id })
    assert.notInclude(JSON.stringify(event), secret)
    assert.deepInclude(event.details, {
      SMTP_HOST: { before: null, after: 'mail.example.org' },
      SMTP_PASSWORD: 'changed',
    })
  })

  test('a stored password goes to no other server', async ({ client, assert }) => {
    const { change } = await asAdmin(client)
    await change({ SMTP_HOST: 'mail.example.org', SMTP_PASSWORD: 'hunter2' })
    const refused = await change({ SMTP_HOST: 'evil.example' }, '*')
    refused.assertStatus(400)
    assert.equal(refused.body().errors[0].field, 'SMTP_PASSWORD')
    const port = await change({ SMTP_PORT: 2525 }, '*')
    port.assertStatus(400)
    const again = await change({ SMTP_HOST: 'other.example', SMTP_PASSWORD: 'hunter3' }, '*')
    again.assertStatus(200)
  })

  test('two administrators at once do not overwrite each other', async ({ client, assert }) => {
    const { change } = await asAdmin(client)
    const names = ['One', 'Two', 'Three', 'Four']
    const answers = await Promise.all(names.map((name) => change({ BRAND_NAME: name })))
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.deepEqual(statuses, [200, 412, 412, 412])
  })

  test('a second factor is required by an administrator who has one', async ({ client }) => {
    const { change } = await asAdmin(client)
    const refused = await change({ ADMIN_REQUIRE_MFA: true })
    refused.assertStatus(409)
    refused.assertBodyContains({ code: 'E_MFA_ENROLMENT_REQUIRED' })
  })
})

test.group('Settings | what the console may not change', (group) => {
  silenceSettingsMails(group)
  group.each.teardown(forgetSettings)

  test('nothing is writable with SETTINGS_IN_CONSOLE=off', async ({ client, assert, cleanup }) => {
    const { change, headers } = await asAdmin(client)
    await change({ BRAND_NAME: 'Acme' })
    config.inConsole = false
    cleanup(() => {
      config.inConsole = true
    })
    const list = await client.get('/settings').headers(headers)
    assert.isFalse(list.body().some(({ writable }: { writable: boolean }) => writable))
    assert.deepInclude(find(list.body(), 'BRAND_NAME'), { value: 'Acme' })
    const refused = await change({ BRAND_NAME: null }, '*')
    refused.assertStatus(403)
    refused.assertBodyContains({ code: 'E_SETTINGS_LOCKED' })
    const tested = await client.post('/external-providers/acme/test').headers(headers)
    tested.assertBodyContains({ code: 'E_SETTINGS_LOCKED' })
    const operator = { name: 'cli:root', id: null, ip: null, userAgent: null }
    await changeSettings({ BRAND_NAME: null }, { actor: operator, ifMatch: null })
    assert.equal(brand.name, 'Gatehouse')
  })

  test('an old sign-in needs the password', async ({ client }) => {
    const { change } = await asAdmin(client)
    timeTravel(601_000)
    const refused = await change({ BRAND_NAME: 'Acme' }, '*')
    refused.assertBodyContains({ code: 'E_RECENT_LOGIN_REQUIRED' })
    const proved = await change({ BRAND_NAME: 'Acme', currentPassword: PASSWORD }, '*')
    proved.assertStatus(200)
  })

  test('a picture is drawn anew and shown', async ({ client, assert }) => {
    const { headers } = await asAdmin(client)
    const put = (file: Buffer) =>
      client
        .put('/settings/BRAND_LOGO')
        .headers(headers)
        .header('if-match', '*')
        .file('file', file, { filename: 'logo.png' })
    const refused = await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    refused.assertStatus(400)
    const changed = await put(await smallPicture())
    changed.assertStatus(200)
    assert.deepInclude(find(changed.body(), 'BRAND_LOGO'), { value: 'set', source: 'console' })
    const page = await client.get('/sign-in')
    const [path] = /\/assets\/logo\.[\w-]+\.webp/.exec(page.text())!
    const picture = await client.get(path)
    picture.assertHeader('content-type', 'image/webp')
  })

  test('verified addresses are required while an administrator has one', async ({
    client,
    assert,
  }) => {
    const { change } = await asAdmin(client)
    const changed = await change({ REQUIRE_VERIFIED_EMAIL: true })
    changed.assertStatus(200)
    assert.isTrue(settingValue('REQUIRE_VERIFIED_EMAIL'))
  })

  test('an administrator counts by what is stored by now', async ({ assert }) => {
    await db.from('users').where('role', 'Admin').update({ disabled_at: 1 })
    const { id } = await createAdmin()
    await db.from('users').where({ id }).update({ email_verified_at: null })
    await db.transaction(async (trx) => {
      assert.isTrue(await canAnAdminSignIn(trx))
      await writeSetting('REQUIRE_VERIFIED_EMAIL', { value: 'on' }, { actor: SYSTEM, trx })
      assert.isFalse(await canAnAdminSignIn(trx))
      await trx.rollback()
    })
  })
})

test.group('Settings | what the environment says', (group) => {
  silenceSettingsMails(group)
  const given = givenValues as Map<string, string>
  group.each.teardown(async () => {
    given.delete('BRAND_NAME')
    await forgetSettings()
  })

  test('wins over the console and is locked', async ({ client, assert }) => {
    const { change, headers } = await asAdmin(client)
    await change({ BRAND_NAME: 'Acme' })
    given.set('BRAND_NAME', 'Umbrella')
    const list = await client.get('/settings').headers(headers)
    assert.deepInclude(find(list.body(), 'BRAND_NAME'), {
      value: 'Umbrella',
      source: 'environment',
      writable: false,
      hidden: true,
    })
    const refused = await change({ BRAND_NAME: 'Other', SIGN_UP: 'invite' }, '*')
    refused.assertStatus(409)
    refused.assertBodyContains({ code: 'E_SET_BY_ENVIRONMENT', fields: ['BRAND_NAME'] })
    assert.lengthOf(await db.from('settings').where('key', 'SIGN_UP'), 0)
  })
})
