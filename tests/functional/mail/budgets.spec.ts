import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { record, type EventOf } from '#events/record'
import { deliverMail } from '#mails/queue/delivery'
import { retryMail } from '#mails/queue/retry_mail'
import { queueMail } from '#mails/queue/queue_mail'
import { queueAccountExistsMail, queuePasswordResetMail } from '#mails/queue/queue_link_mails'
import { TEMPLATES } from '#mails/templates/templates'
import type { MailContents, TemplateName } from '#mails/templates/contents'
import { ONE_TIME_TTL_MS } from '#auth/tokens/one_time_purposes'
import { deleteUser } from '#users/delete_user'
import { requestVerificationOfAddress } from '#users/request_verification'
import { sendPasswordReset } from '#users/request_password_reset'
import {
  createAdmin,
  createUser,
  keyOf,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { contentsOfCode } from '#tests/support/address_codes'
import { setLimit } from '#tests/support/limits'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

async function kindsTo({ email }: { email: string }) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.map(({ kind }) => kind)
}

async function countTo(user: { email: string }, kind: TemplateName) {
  const kinds = await kindsTo(user)
  return kinds.filter((each) => each === kind).length
}

function forgot(client: ApiClient, email: string) {
  const request = client.post('/auth/forgot-password').header('x-forwarded-for', someAddress())
  return request.json({ email })
}

async function repeat(times: number, act: (count: number) => Promise<unknown>) {
  for (let count = 1; count <= times; count++) await act(count)
}

function resend(client: ApiClient, email: string) {
  const request = client.post('/auth/verify-email/resend').header('x-forwarded-for', someAddress())
  return request.json({ email })
}

function lock(client: ApiClient, { email }: { email: string }) {
  return repeat(5, () => login(client, { email, password: 'Wrong-h0rse!' }))
}

const OUTAGE = 'The counter does not answer'

/** Makes counting fail, as in an outage of the store. @returns a function that ends the fault */
function withoutCounter() {
  const { windowMs } = limits.mailRecipient
  const fail = () => {
    throw new Error(OUTAGE)
  }
  Object.defineProperty(limits.mailRecipient, 'windowMs', { configurable: true, get: fail })
  return () => {
    Object.defineProperty(limits.mailRecipient, 'windowMs', { value: windowMs, writable: true })
  }
}

test.group('Mail | mails that the product never sends', () => {
  test('resends to a verified address count for nothing', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(6, () => resend(client, user.email))
    await deliverMails()
    await repeat(5, () => forgot(client, user.email))
    assert.equal(await countTo(user, 'password_reset'), 5)
  })

  test('{what} for an unknown address count for nothing')
    .with([
      { what: 'resends', ask: resend },
      { what: 'resets', ask: forgot },
    ])
    .run(async ({ client, assert }, { ask }) => {
      const email = someEmail()
      await repeat(6, () => ask(client, email))
      await deliverMails()
      const user = await createUser({ email, isVerified: false })
      await repeat(5, () => resend(client, email))
      assert.equal(await countTo(user, 'email_verification'), 5)
    })

  test('a disabled user counts for nothing', async ({ client, assert }) => {
    const user = await createUser()
    const disable = (at: number | null) =>
      db.from('users').where('id', user.id).update({ disabled_at: at })
    await disable(Date.now())
    await repeat(6, () => forgot(client, user.email))
    await deliverMails()
    await disable(null)
    await repeat(5, () => forgot(client, user.email))
    assert.equal(await countTo(user, 'password_reset'), 5)
  })
})

test.group('Mail | of a kind that another cannot starve', () => {
  test('resets leave the news of a lock', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(6, () => forgot(client, user.email))
    await deliverMails()
    await lock(client, user)
    assert.equal(await countTo(user, 'account_locked'), 1)
  })

  test('verification mails leave a reset', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    await repeat(6, () => resend(client, user.email))
    await deliverMails()
    await forgot(client, user.email)
    assert.equal(await countTo(user, 'password_reset'), 1)
  })

  test('confirmations leave the mail of a registration', async ({ client, assert }) => {
    const email = someEmail()
    await repeat(5, async () => {
      const { headers } = await signedIn(client, await createUser())
      const body = { email, currentPassword: PASSWORD }
      await client.put('/auth/profile').headers(headers).json(body)
    })
    await deliverMails()
    const request = client.post('/auth/register').header('x-forwarded-for', someAddress())
    await request.json({ email, username: 'Ada', password: PASSWORD })
    assert.equal(await countTo({ email }, 'email_verification'), 1)
  })

  test('{asked} more resets mail {sent}')
    .with([
      { asked: 1, sent: 1 },
      { asked: 2, sent: 2 },
      { asked: 3, sent: 2 },
    ])
    .run(async ({ client, assert }, { asked, sent }) => {
      const user = await createUser({ isVerified: false })
      await repeat(5, () => resend(client, user.email))
      await deliverMails()
      await repeat(asked, () => forgot(client, user.email))
      assert.equal(await countTo(user, 'password_reset'), sent)
    })

  test('a reset that is dropped leaves its links working', async ({ client, assert }) => {
    const user = await createUser()
    await forgot(client, user.email)
    const token = await mailedToken(user.email, 'password_reset')
    await repeat(14, () => forgot(client, user.email))
    await deliverMails()
    const request = client.post('/auth/reset-password').header('x-forwarded-for', someAddress())
    const reset = await request.json({ token, password: 'Another-h0rse!' })
    reset.assertStatus(200)
    assert.equal(limits.mailBudget.windowMs, ONE_TIME_TTL_MS.password_reset)
  })
})

test.group('Mail | beyond the limit of the recipient', () => {
  test('nineteen sign-ins from new devices mail five', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(20, (count) => signedIn(client, user, { deviceId: `device-${count}` }))
    assert.equal(await countTo(user, 'new_device'), 5)
  })

  test('resets by strangers do not hide a sign-in', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { deviceId: 'laptop' })
    await repeat(6, () => forgot(client, user.email))
    await deliverMails()
    await signedIn(client, user, { deviceId: 'stranger' })
    assert.equal(await countTo(user, 'password_reset'), 5)
    assert.equal(await countTo(user, 'new_device'), 1)
  })

  test('a lock by strangers counts like their resets', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(5, () => login(client, { email: user.email, password: 'Wrong-h0rse!' }))
    await repeat(6, () => forgot(client, user.email))
    const kinds = await kindsTo(user)
    assert.lengthOf(kinds, 5)
    assert.include(kinds, 'account_locked')
  })

  test('six users who ask once each mail six', async ({ client, assert }) => {
    const email = someEmail()
    await repeat(6, async () => {
      const { headers } = await signedIn(client, await createUser())
      const body = { email, currentPassword: PASSWORD }
      const asked = await client.put('/auth/profile').headers(headers).json(body)
      asked.assertStatus(200)
    })
    assert.equal(await countTo({ email }, 'email_change'), 6)
  })

  test('strangers leave the link to a new address', async ({ client, assert }) => {
    const [user, email] = [await createUser(), someEmail()]
    await repeat(6, () => forgot(client, email))
    await deliverMails()
    const { headers } = await signedIn(client, user)
    const body = { email, currentPassword: PASSWORD }
    await client.put('/auth/profile').headers(headers).json(body)
    assert.equal(await countTo({ email }, 'email_change'), 1)
  })

  test('an administrator still mails a link', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(6, () => forgot(client, user.email))
    await deliverMails()
    await sendPasswordReset(user, SYSTEM)
    assert.equal(await countTo(user, 'password_reset'), 6)
  })

  test('mails of the owner count against strangers', async ({ client, assert }) => {
    const user = await createUser()
    await repeat(3, () => sendPasswordReset(user, SYSTEM))
    await deliverMails()
    // One by one: if mails are counted concurrently, a later one may be the first of its kind.
    await repeat(4, async () => {
      await forgot(client, user.email)
      await deliverMails()
    })
    assert.equal(await countTo(user, 'password_reset'), 5)
  })

  test('a mail whose count failed is counted by its next try', async ({ client, assert }) => {
    const user = await createUser()
    setLimit(limits.mailRecipient, 1)
    setLimit(limits.mailBudget, 1)
    await forgot(client, user.email)
    const { id } = await db.from('mails').where('recipient', user.email).firstOrFail()
    const restore = withoutCounter()
    await assert.rejects(() => deliverMail(id, { isLastTry: false }), OUTAGE).finally(restore)
    await deliverMails()
    await forgot(client, user.email)
    assert.equal(await countTo(user, 'password_reset'), 1)
  })

  test('a retry is sent whatever was counted', async ({ client, assert }) => {
    const user = await createUser()
    await forgot(client, user.email)
    const failed = { status: 'failed', attempts: 9 }
    await db.from('mails').where('recipient', user.email).update(failed)
    await repeat(6, () => forgot(client, user.email))
    await deliverMails()
    const { id } = await db.from('mails').where(failed).where('recipient', user.email).first()
    await retryMail(id, SYSTEM)
    assert.equal(await countTo(user, 'password_reset'), 6)
  })
})

function lockOf(user: User): EventOf<'account.locked'> {
  const about = { user, actor: SYSTEM, outcome: 'failure' } as const
  const reason = 'password'
  const lockout = { email: user.email, until: Date.now() + 1, reason } as const
  const details = { reason, lockKind: 'failures' } as const
  return { ...about, type: 'account.locked', details, context: { lockout } }
}

/** One mail of each kind, as the product queues it. */
const QUEUE: Record<TemplateName, (user: User) => Promise<unknown>> = {
  account_locked: (user) => db.transaction((trx) => record(trx, lockOf(user))),
  password_reset: (user) =>
    db.transaction((trx) => queuePasswordResetMail(user.email, { from: null, budget: null }, trx)),
  email_verification: (user) => requestVerificationOfAddress(user.email),
  address_code: async (user) => {
    await db.from('users').where('id', user.id).update({ email_verified_at: null })
    await queueTo(user, 'address_code', await contentsOfCode(user))
  },
  invitation: (user) => queueTo(user, 'invitation', {}),
  email_change: async (user) => {
    await db
      .from('users')
      .where('id', user.id)
      .update({ pending_email: user.email, pending_email_at: Date.now() })
    await queueTo(user, 'email_change', {})
  },
  email_change_requested: (user) => queueTo(user, 'email_change_requested', { newEmail: 'a@b.c' }),
  email_change_confirmed: (user) => queueTo(user, 'email_change_confirmed', CONFIRMED),
  backup_failed: (user) =>
    queueTo(user, 'backup_failed', { failedAt: '2026-11-21T14:05:00.000Z', reason: 'full' }),
  email_changed: (user) => queueTo(user, 'email_changed', { newEmail: 'a@b.c' }),
  account_exists: (user) => db.transaction((trx) => queueAccountExistsMail(user.email, trx)),
  password_changed: (user) => queueTo(user, 'password_changed', {}),
  account_deleted: (user) => deleteUser(user.id, SYSTEM),
  former_address: async (user) => {
    await queueTo(user, 'former_address', { event: 'mfa_disabled' })
    await db.from('users').where('id', user.id).update({ email: someEmail() })
  },
  refresh_reused: (user) => queueTo(user, 'refresh_reused', { deviceName: 'Chrome' }),
  identity_linked: (user) => queueTo(user, 'identity_linked', { provider: 'acme' }),
  identity_unlinked: (user) => queueTo(user, 'identity_unlinked', { provider: 'acme' }),
  passkey_added: (user) => queueTo(user, 'passkey_added', { passkeyName: 'Phone' }),
  passkey_removed: (user) => queueTo(user, 'passkey_removed', { passkeyName: 'Phone' }),
  passkey_copied: (user) => queueTo(user, 'passkey_copied', { passkeyName: 'Phone' }),
  mfa_enabled: (user) => queueTo(user, 'mfa_enabled', {}),
  mfa_disabled: (user) => queueTo(user, 'mfa_disabled', {}),
  mfa_suspended: (user) => queueTo(user, 'mfa_suspended', { wrongCodes: '20' }),
  test: (user) => queueTo(user, 'test', {}),
  api_key_created: (user) => queueTo(user, 'api_key_created', KEY),
  api_key_expiring: (user) => queueTo(user, 'api_key_expiring', KEY),
  webhook_created: (user) => queueTo(user, 'webhook_created', WEBHOOK),
  webhook_redirected: (user) => queueTo(user, 'webhook_redirected', WEBHOOK),
  webhook_disabled: (user) => queueTo(user, 'webhook_disabled', { ...WEBHOOK, reason: 'gone' }),
  webhooks_stalled: (user) =>
    queueTo(user, 'webhooks_stalled', { stalledSince: '2026-11-21T14:05:00.000Z' }),
  new_device: (user) => queueTo(user, 'new_device', SIGN_IN),
  settings_changed: (user) => queueTo(user, 'settings_changed', CHANGED),
  sign_in_abandoned: (user) => queueTo(user, 'sign_in_abandoned', ABANDONED),
}

const WEBHOOK = { webhookName: 'Billing', host: 'billing.example.org' }
const CHANGED = { names: 'SMTP_HOST', changedBy: '', via: null }

const CONFIRMED = { newEmail: 'a@b.c', askedAt: '2026-11-21T14:05:00.000Z' }

const ABANDONED = {
  method: 'password',
  deviceName: 'Chrome',
  ip: '203.0.113.7',
  startedAt: '2026-11-21T14:05:00.000Z',
}

const KEY = {
  keyName: 'Report',
  account: '',
  scopes: 'users:read',
  endsAt: '2026-11-21T14:05:00.000Z',
}

const SIGN_IN = {
  fingerprint: 'f'.repeat(43),
  deviceName: 'Chrome',
  ip: '203.0.113.7',
  signedInAt: '2026-11-21T14:05:00.000Z',
}

function queueTo<Kind extends TemplateName>(
  { id, email }: User,
  kind: Kind,
  contents: MailContents[Kind]
) {
  return db.transaction((trx) =>
    queueMail({ kind, recipient: email, userId: id, contents } as any, trx)
  )
}

const PROVING = [
  'password_reset',
  'email_verification',
  'address_code',
  'invitation',
  'email_change',
]

test.group('Mail | to an address that was never verified', () => {
  test('{kind} is sent: {isSent}')
    .with(
      Object.keys(TEMPLATES).map((kind) => ({
        kind: kind as TemplateName,
        isSent: PROVING.includes(kind),
      }))
    )
    .run(async ({ assert }, { kind, isSent }) => {
      const user = await createUser({ isVerified: false, password: null })
      await QUEUE[kind](user)
      assert.deepEqual(await kindsTo(user), isSent ? [kind] : [])
    })

  test('{kind} is sent to a verified one')
    .with(
      (Object.keys(TEMPLATES) as TemplateName[])
        .filter((kind) => kind !== 'email_verification')
        .map((kind) => ({ kind }))
    )
    .run(async ({ assert }, { kind }) => {
      const user = await createUser({ password: null })
      await QUEUE[kind](user)
      assert.deepEqual(await kindsTo(user), [kind])
    })

  test('a change by an administrator is not told there', async ({ client, assert }) => {
    const [user, admin] = [
      await createUser({ isVerified: false }),
      await createUser({ role: 'Admin' }),
    ]
    await client.put(`/users/${user.id}`).loginAs(admin).json({ email: someEmail() })
    assert.deepEqual(await kindsTo(user), [])
  })
})

test.group('Mail | what administrators cause', (group) => {
  group.each.setup(() => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    return () => env.set('REQUIRE_VERIFIED_EMAIL', false)
  })

  test('a key makes and deletes the user of a mailbox twice', async ({ client, assert }) => {
    setLimit(limits.adminMails, 2)
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const given = { email: someEmail(), username: 'Ada', password: PASSWORD }
    const made = []
    for (let times = 0; times < 3; times++) {
      const response = await client.post('/users').headers(headers).json(given)
      made.push(response.status(), await countTo(given, 'email_verification'))
      await client.delete(`/users/${response.body().id}`).headers(headers)
    }
    assert.deepEqual(made, [201, 1, 201, 1, 429, 0])
  })

  test('an administrator moves users to a mailbox twice', async ({ client, assert }) => {
    setLimit(limits.adminMails, 2)
    const { headers } = await signedIn(client, await createAdmin())
    const email = someEmail()
    const statuses = []
    for (let times = 0; times < 3; times++) {
      const { id } = await createUser()
      const moved = await client.put(`/users/${id}`).headers(headers).json({ email })
      statuses.push(moved.status())
      const back = await client.put(`/users/${id}`).headers(headers).json({ email: someEmail() })
      if (moved.status() === 200) back.assertStatus(200)
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })

  test('a move that is refused counts no mail', async ({ client, assert }) => {
    setLimit(limits.adminMails, 1)
    const [admin, user, email] = [await createAdmin(), await createUser(), someEmail()]
    const [key, session] = [await keyOf(admin, ['users:write']), await signedIn(client, admin)]
    const statuses = []
    for (const { headers } of [key, key, session]) {
      const moved = await client.put(`/users/${user.id}`).headers(headers).json({ email })
      statuses.push(moved.status())
    }
    assert.deepEqual(statuses, [403, 403, 200])
  })
})
