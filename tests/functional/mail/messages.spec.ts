import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import lockout from '#config/lockout'
import { queueMail } from '#mails/queue/queue_mail'
import type { QueuedMail } from '#mails/queue/queued_mail'
import { TEMPLATES } from '#mails/templates/templates'
import type { MailContents, TemplateName } from '#mails/templates/contents'
import type User from '#models/user'
import { i18nFor } from '#i18n/locales'
import { plainText, wrap } from '#mails/templates/format'
import { createUser, someAddress, someEmail } from '#tests/support/fixtures'
import { contentsOfCode } from '#tests/support/address_codes'
import { cellsHere } from '#tests/support/proved_on'
import { deliverMails, mailFilesOf } from '#tests/support/mail'

const HOSTILE = '<img src=x onerror=alert(1)> https://evil.example'

const CONTENTS: { [Kind in TemplateName]: MailContents[Kind] } = {
  account_locked: { lockedUntil: '2026-11-21T14:05:00.000Z', reason: 'password' },
  account_exists: {},
  password_changed: {},
  account_deleted: { name: HOSTILE, locale: null },
  identity_linked: { provider: 'google' },
  identity_unlinked: { provider: 'google' },
  passkey_added: { passkeyName: HOSTILE },
  passkey_removed: { passkeyName: HOSTILE },
  passkey_copied: { passkeyName: HOSTILE },
  mfa_enabled: {},
  mfa_disabled: {},
  mfa_suspended: { wrongCodes: '20' },
  former_address: { event: 'mfa_disabled' },
  test: {},
  password_reset: {
    from: null,
    removed: { unlinked: ['google'], revokedKeys: 2, removedMfa: true },
  },
  email_verification: {},
  address_code: { codeId: '', application: '', deviceName: '', startedAt: '' },
  email_change: {},
  email_change_requested: { newEmail: 'ada@example.net' },
  email_change_confirmed: { newEmail: 'ada@example.net', askedAt: '2026-11-21T14:05:00.000Z' },
  email_changed: { newEmail: 'ada@example.net' },
  invitation: {},
  settings_changed: { names: 'SMTP_HOST', changedBy: 'ada@example.org', via: null },
  refresh_reused: { deviceName: HOSTILE },
  sign_in_abandoned: {
    method: 'password',
    deviceName: HOSTILE,
    ip: '203.0.113.7',
    startedAt: '2026-11-21T14:05:00.000Z',
  },
  api_key_created: {
    keyName: HOSTILE,
    account: HOSTILE,
    scopes: 'users:read',
    endsAt: '2026-11-21T14:05:00.000Z',
  },
  api_key_expiring: {
    keyName: HOSTILE,
    account: HOSTILE,
    scopes: 'users:read',
    endsAt: '2026-11-21T14:05:00.000Z',
  },
  webhook_created: { webhookName: HOSTILE, host: 'billing.example.org' },
  webhook_redirected: { webhookName: HOSTILE, host: 'billing.example.org' },
  webhook_disabled: { webhookName: HOSTILE, host: 'billing.example.org', reason: 'gone' },
  webhooks_stalled: { stalledSince: '2026-11-21T14:05:00.000Z' },
  backup_failed: { failedAt: '2026-11-21T14:05:00.000Z', reason: 'full' },
  new_device: {
    fingerprint: 'f'.repeat(43),
    deviceName: HOSTILE,
    ip: '203.0.113.7',
    signedInAt: '2026-11-21T14:05:00.000Z',
  },
}

async function contentsFor(kind: TemplateName, user: User) {
  if (kind === 'account_deleted') return { name: user.username, locale: user.locale }
  if (kind !== 'address_code') return CONTENTS[kind]
  return { ...(await contentsOfCode(user)), application: HOSTILE, deviceName: HOSTILE }
}

async function mailed<Kind extends TemplateName>(
  kind: Kind,
  username: string,
  locale: string | null = null
) {
  const user = await createUser({
    username,
    password: null,
    isVerified: kind !== 'email_verification',
  })
  const pending = { pendingEmail: user.email, pendingEmailAt: DateTime.utc() }
  await user.merge({ ...pending, locale }).save()
  const recipient = user.email
  const contents = await contentsFor(kind, user)
  const mail = { kind, recipient, userId: user.id, contents } as QueuedMail<Kind>
  await db.transaction((trx) => queueMail(mail, trx))
  if (kind === 'former_address') await user.merge({ email: someEmail() }).save()
  await deliverMails()
  const [sent] = await mailFilesOf(recipient)
  return sent
}

const KINDS = Object.keys(TEMPLATES) as TemplateName[]

/** Every backend queues and sends a mail of each kind. Formatting its text involves no store. */
const OF_TEXTS = cellsHere(KINDS, (kind) => kind === 'password_changed')

test.group('Messages | every kind', () => {
  test('{$self} says all in text and in HTML')
    .with(KINDS)
    .run(async ({ assert }, kind) => {
      const { subject, text, html } = await mailed(kind, 'Ada')
      assert.equal(subject, i18nFor('en').t(`mails.${kind}.subject`))
      for (const body of [text, html]) {
        assert.include(body, 'Hello Ada,')
        assert.notMatch(body, /undefined|null|NaN|Invalid|\[object|\{\{|\}\}|@if|@end/)
      }
      const { link } = TEMPLATES[kind]
      assert.equal(text.includes('The link works once, for '), Boolean(link))
      assert.equal(html.includes('class="button"'), Boolean(link))
      if (link) assert.include(text, `http://gatehouse.test${link.page}?token=`)
    })

  test('{$self} does not repeat a hostile name')
    .with(OF_TEXTS)
    .run(async ({ assert }, kind) => {
      const { text, html } = await mailed(kind, HOSTILE)
      assert.notInclude(html, '<img')
      assert.notInclude(html, 'href="https://evil.example')
      assert.notInclude(text, 'evil.example')
      assert.include(text, 'Hello,')
    })
})

test.group('Messages | language', () => {
  test('{$self} is in the language of its reader')
    .with(OF_TEXTS)
    .run(async ({ assert }, kind) => {
      const { raw, text, html } = await mailed(kind, 'Ada', 'de')
      assert.include(html, '<html lang="de">')
      assert.include(html, `<title>${i18nFor('de').t(`mails.${kind}.subject`)}</title>`)
      for (const body of [text, html]) {
        assert.include(body, 'Hallo Ada,')
        assert.notMatch(body, /undefined|null|\{\w+[,}]|translation missing| (the|your|is|you) /)
      }
      assert.notInclude(raw, '<script')
    })

  test('is English for a language that is gone', async ({ assert }) => {
    const { subject } = await mailed('password_changed', 'Ada', 'eo')
    assert.equal(subject, 'Your password was changed')
  })

  test('writes times and durations as the reader does', async ({ assert }) => {
    const { text } = await mailed('account_locked', 'Ada', 'fr')
    assert.match(text.replace(/\s+/g, ' '), /jusqu’au 21 novembre 2026 à 14:05 UTC/)
    const { text: reset } = await mailed('password_reset', 'Ada', 'es')
    assert.match(reset.replace(/\s+/g, ' '), /durante \d+ (hora|minutos)/)
  })

  test('keeps lines of plain text short, and addresses whole', ({ assert }) => {
    const address = `https://example.org/${'x'.repeat(100)}`
    const lines = wrap(`${'word '.repeat(40)}${address} end`).split('\n')
    assert.include(lines, address)
    assert.isTrue(lines.every((line) => line === address || line.length <= 72))
  })
})

test.group('Messages | names', () => {
  test('{name} is greeted: {isGreeted}')
    .with([
      { name: 'Ada', isGreeted: true },
      { name: 'Dr. José Núñez-O’Hara', isGreeted: true },
      { name: '李小龙', isGreeted: true },
      { name: 'ada_1815', isGreeted: true },
      { name: 'evil.example', isGreeted: false },
      { name: 'Win at evil.example now', isGreeted: false },
      { name: 'http://evil', isGreeted: false },
      { name: 'Ada\nBcc: x@example.org', isGreeted: false },
      { name: 'A'.repeat(40), isGreeted: true },
      { name: 'A'.repeat(41), isGreeted: false },
    ])
    .run(({ assert }, { name, isGreeted }) => {
      assert.equal(plainText(name), isGreeted ? name : null)
    })
})

test.group('Messages | links', () => {
  test('lead to APP_URL whatever the request calls its host', async ({ client, assert }) => {
    const user = await createUser()
    const response = await client
      .post('/auth/forgot-password')
      .header('host', 'evil.example')
      .header('x-forwarded-host', 'evil.example')
      .header('x-forwarded-for', someAddress())
      .json({ email: user.email })
    response.assertStatus(202)
    await deliverMails()
    const [{ raw, text }] = await mailFilesOf(user.email)
    assert.notInclude(raw, 'evil.example')
    assert.include(text, 'http://gatehouse.test/reset-password?token=')
  })
})

test.group('Messages | a lock by failures', (group) => {
  const { hasKnownDevices } = lockout
  group.each.teardown(() => {
    lockout.hasKnownDevices = hasKnownDevices
  })

  test('says that known devices get in: {hasKnownDevices}')
    .with([{ hasKnownDevices: true }, { hasKnownDevices: false }])
    .run(async ({ assert }, setting) => {
      lockout.hasKnownDevices = setting.hasKnownDevices
      const { text, html } = await mailed('account_locked', 'Ada')
      for (const body of [text, html]) {
        const isSaid = body.replace(/\s+/g, ' ').includes('on a device you used before')
        assert.equal(isSaid, setting.hasKnownDevices)
      }
    })
})
