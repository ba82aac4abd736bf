import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { queueMail } from '#mails/queue/queue_mail'
import { i18nFor } from '#i18n/locales'
import { TEMPLATES } from '#mails/templates/templates'
import type { TemplateName } from '#mails/templates/contents'
import { createAdmin, signedIn, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { kindsTo, moved, owner, undo } from './change_address.ts'
import type { ApiClient } from '@japa/api-client'

const DAY_MS = 24 * 3_600_000

/** Makes a user whose address has just changed, and the link that undoes the change. */
async function withFormerAddress(client: ApiClient) {
  const { user, headers } = await owner(client)
  const [former, present] = [user.email, someEmail()]
  const token = await moved(client, headers, [former, present])
  return { user: await User.findOrFail(user.id), former, present, token, headers }
}

async function tell({ id: userId, email: recipient }: User, kind: TemplateName = 'mfa_disabled') {
  const mail = { kind, recipient, userId, contents: {} } as any
  await db.transaction((trx) => queueMail(mail, trx))
}

async function newsTo(email: string) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.filter(({ kind }) => kind === 'former_address')
}

/** Kinds that a thief who changed the address does not cause, or whose links fit one address. */
const SILENT = [
  'account_deleted',
  'account_exists',
  'account_locked',
  'password_reset',
  'email_verification',
  'email_change',
  'email_changed',
  'former_address',
  'address_code',
  'invitation',
  'test',
  'api_key_expiring',
  'webhook_created',
  'webhook_redirected',
  'webhook_disabled',
  'webhooks_stalled',
  'backup_failed',
  'settings_changed',
]

const KINDS = (Object.keys(TEMPLATES) as TemplateName[]).map((kind) => ({
  kind,
  isTold: !SILENT.includes(kind),
}))

test.group('Former address | news', () => {
  test('{kind} is told there: {isTold}')
    .with(KINDS)
    .run(async ({ client, assert }, { kind, isTold }) => {
      const { user, former } = await withFormerAddress(client)
      await tell(user, kind)
      const news = await newsTo(former)
      assert.lengthOf(news, isTold ? 1 : 0)
      if (!isTold) return
      const subject = i18nFor('en').t(`mails.${kind}.subject`)
      assert.include(news[0].text.replace(/\s+/g, ' '), subject)
      assert.notInclude(news[0].text, 'token=')
      assert.notInclude(news[0].raw, user.email)
    })

  test('a sign-in of the thief is told', async ({ client, assert }) => {
    const { user, former } = await withFormerAddress(client)
    await signedIn(client, user, { deviceId: 'laptop' })
    await signedIn(client, user, { deviceId: 'thief' })
    const news = await newsTo(former)
    assert.isNotEmpty(news)
    for (const { html } of news) assert.include(html, 'New sign-in to your account')
  })

  test('a mail that is only queued counts as a link', async ({ client, assert }) => {
    const { user, former } = await withFormerAddress(client)
    await db.from('one_time_tokens').where('user_id', user.id).delete()
    const [kind, recipient] = ['email_change_confirmed', former] as const
    await db.from('mails').where({ user_id: user.id, kind, recipient }).delete()
    const row = { kind, recipient, user_id: user.id, status: 'queued', attempts: 0 }
    await db.table('mails').insert({ ...row, id: user.id, created_at: Date.now() })
    await tell(user)
    assert.lengthOf(await db.from('mails').where({ recipient, kind: 'former_address' }), 1)
    await db.from('mails').where('id', user.id).delete()
  })

  test('{count} changes mail {sent}')
    .with([
      { count: 19, sent: 19 },
      { count: 20, sent: 20 },
      { count: 21, sent: 20 },
    ])
    .run(async ({ client, assert }, { count, sent }) => {
      const { user, former } = await withFormerAddress(client)
      await deliverMails()
      for (let change = 1; change <= count; change++) await tell(user)
      assert.lengthOf(await newsTo(former), sent)
    })
})

test.group('Former address | silence', () => {
  test('after {days} days it hears: {isTold}')
    .with([
      { days: 2.9, isTold: true },
      { days: 3.1, isTold: false },
    ])
    .run(async ({ client, assert }, { days, isTold }) => {
      const { user, former } = await withFormerAddress(client)
      await deliverMails()
      timeTravel(days * DAY_MS)
      await tell(user)
      assert.lengthOf(await newsTo(former), isTold ? 1 : 0)
    })

  test('once the change is undone there is none', async ({ client, assert }) => {
    const { user, former, present, token } = await withFormerAddress(client)
    const undone = await undo(client, token)
    undone.assertStatus(200)
    await tell(await User.findOrFail(user.id))
    assert.lengthOf(await newsTo(former), 0)
    assert.notInclude(await kindsTo(present), 'former_address')
  })

  test('an address by an administrator ends it', async ({ client, assert }) => {
    const { user, former } = await withFormerAddress(client)
    const email = someEmail()
    const body = { email, emailVerified: true }
    await client
      .put(`/users/${user.id}`)
      .loginAs(await createAdmin())
      .json(body)
    await tell(await User.findOrFail(user.id))
    assert.lengthOf(await newsTo(former), 0)
  })

  test('a fourth former address leaves the oldest told', async ({ client, assert }) => {
    const { user, former } = await withFormerAddress(client)
    const row = { user_id: user.id, purpose: 'email_change_undo', expires_at: Date.now() + DAY_MS }
    const later = [1, 2, 3].map((number) => ({
      ...row,
      id: user.id.replace(/^./, String(number)),
      token_hash: `${number}`.repeat(43),
      email: `thief-${number}-${user.id}@example.org`,
      created_at: Date.now() + number * 1_000,
    }))
    await db.table('one_time_tokens').multiInsert(later)
    await tell(user)
    const addresses = [former, ...later.map(({ email }) => email)]
    const told = await db
      .from('mails')
      .where('kind', 'former_address')
      .whereIn('recipient', addresses)
    const recipients = told.map(({ recipient }) => recipient)
    assert.sameMembers(recipients, addresses.slice(0, 3))
  })
})
