import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import config from '#config/settings'
import { userActor } from '#audit/actor'
import { MAIL_RETENTION_MS } from '#mails/log/delete_mails'
import { deliverMail } from '#mails/queue/delivery'
import { testMail } from '#settings/test_mail'
import { createAdmin, createUser, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { freePort } from '#tests/support/free_port'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { forgetSettings, hideOtherAdmins } from '#tests/support/settings'
import { SmtpServer } from '#tests/servers/smtp'
import type User from '#models/user'

const FROM = { ip: '203.0.113.9', userAgent: null }

async function asAdmin(client: ApiClient) {
  const admin = await createAdmin()
  const { headers } = await signedIn(client, admin)
  const change = async (changes: object) => {
    const request = client.patch('/settings').headers(headers).header('if-match', '*')
    const response = await request.json(changes)
    response.assertStatus(200)
  }
  return { admin, headers, change }
}

async function startServer(credentials?: { user: string; pass: string }) {
  const server = new SmtpServer(await freePort(), credentials)
  await server.start()
  return server
}

const named = ({ port }: SmtpServer) => ({ SMTP_HOST: '127.0.0.1', SMTP_PORT: port })

function mailsFor(server: SmtpServer, { email }: User, subject: RegExp) {
  return server.received.filter(({ to, raw }) => to.includes(email) && subject.test(raw))
}

async function askForReset(client: ApiClient, { email }: User) {
  const request = client.post('/auth/forgot-password').header('x-forwarded-for', someAddress())
  const response = await request.json({ email })
  await deliverMails()
  return response.status()
}

test.group('Settings | mail server', (group) => {
  hideOtherAdmins(group)
  const servers: SmtpServer[] = []
  const server = async () => {
    servers.push(await startServer())
    return servers.at(-1)!
  }
  group.each.teardown(async () => {
    await forgetSettings()
    await Promise.all(servers.splice(0).map((each) => each.stop()))
  })

  test('administrators are told by the previous server', async ({ client, assert }) => {
    const [first, second] = [await server(), await server()]
    const { admin, change } = await asAdmin(client)
    const other = await createAdmin()
    await change(named(first))
    await deliverMails()
    const files = await mailFilesOf(other.email)
    assert.deepEqual(
      files.map(({ kind }) => kind),
      ['settings_changed']
    )
    await change(named(second))
    await deliverMails()
    assert.lengthOf(mailsFor(first, other, /Settings were changed/), 1)
    assert.lengthOf(mailsFor(first, admin, /Settings were changed/), 1)
    assert.lengthOf(second.received, 0)
  })

  test('no administrator resets by a new server for a day', async ({ client, assert }) => {
    const [first, second] = [await server(), await server()]
    const { headers, change } = await asAdmin(client)
    const [admin, user] = [await createAdmin(), await createUser()]
    await change(named(first))
    assert.equal(await askForReset(client, admin), 202)
    assert.lengthOf(mailsFor(first, admin, /reset|password/i), 1)
    await change(named(second))
    assert.equal(await askForReset(client, admin), 202)
    assert.equal(await askForReset(client, user), 202)
    assert.lengthOf(mailsFor(second, admin, /./), 0)
    assert.lengthOf(mailsFor(second, user, /./), 1)
    const path = `/users/${admin.id}/send-password-reset`
    const refused = await client.post(path).headers(headers)
    refused.assertBodyContains({ code: 'E_MAIL_SERVER_CHANGED' })
  })

  /** Returns whether resets of administrators are suspended. */
  async function rests(client: ApiClient, headers: Record<string, string>) {
    const { id } = await createAdmin()
    const response = await client.post(`/users/${id}/send-password-reset`).headers(headers)
    const { code } = response.body()
    return code === 'E_MAIL_SERVER_CHANGED'
  }

  test('a default that is repeated hides no mail that was sent', async ({ client, assert }) => {
    const { headers, change } = await asAdmin(client)
    await change({ SMTP_HOST: '127.0.0.1' })
    const now = Date.now()
    await db.from('settings').update({ updated_at: now - 10_000 })
    await db.from('mails').where('status', 'sent').delete()
    const mail = { id: randomUUID(), kind: 'welcome', recipient: someEmail(), status: 'sent' }
    await db.table('mails').insert({ ...mail, created_at: now - 5_000, sent_at: now - 5_000 })
    await change({ SMTP_PORT: 587 })
    assert.isFalse(await rests(client, headers))
    await change({ SMTP_HOST: 'mail.evil.example' })
    assert.isTrue(await rests(client, headers))
  })

  test('{name} at the same relay is another server')
    .with([
      { name: 'another user', changes: { SMTP_USERNAME: 'other' } },
      { name: 'another password', changes: { SMTP_PASSWORD: 'other' } },
    ])
    .run(async ({ client, assert }, { changes }) => {
      const { headers, change } = await asAdmin(client)
      const first = await server()
      await change(named(first))
      const user = await createUser()
      await askForReset(client, user)
      assert.lengthOf(mailsFor(first, user, /./), 1)
      await change(changes)
      assert.isTrue(await rests(client, headers))
    })

  test('one that is used for longer than mails are kept has worked', async ({ client, assert }) => {
    const { headers, change } = await asAdmin(client)
    const [first, second] = [await server(), await server()]
    await change(named(first))
    await db.from('mails').where('status', 'sent').delete()
    const since = { key: 'mail_server_since' }
    await db
      .from('settings')
      .where(since)
      .update({ updated_at: Date.now() - MAIL_RETENTION_MS - 1 })
    await change(named(second))
    assert.isTrue(await rests(client, headers))
  })

  test('a mail goes by the server at which it was judged', async ({ client, assert, cleanup }) => {
    const [first, second] = [await server(), await server()]
    const { change } = await asAdmin(client)
    const admin = await createAdmin()
    const { email: recipient } = admin
    await change(named(first))
    await client
      .post('/auth/forgot-password')
      .header('x-forwarded-for', someAddress())
      .json({ email: recipient })
    const { id } = await db.from('mails').where({ recipient, kind: 'password_reset' }).firstOrFail()
    const { transaction } = db
    const restore = () => void Object.assign(db, { transaction })
    cleanup(restore)
    /** Changes the mail server after the mail was composed. */
    const changing = async (...args: unknown[]) => {
      const result: any = await transaction.apply(db, args as never)
      if (!result?.messageId) return result
      restore()
      await change(named(second))
      return result
    }
    Object.assign(db, { transaction: changing })
    await deliverMail(id, { isLastTry: true })
    assert.lengthOf(mailsFor(first, admin, /./), 1)
    assert.lengthOf(second.received, 0)
  })

  test('the day ends', async ({ client, assert, cleanup }) => {
    const [first, second] = [await server(), await server()]
    const { change } = await asAdmin(client)
    const admin = await createAdmin()
    await change(named(first))
    await askForReset(client, admin)
    await change(named(second))
    const { mailServerTrialMs } = config
    config.mailServerTrialMs = 0
    cleanup(() => {
      config.mailServerTrialMs = mailServerTrialMs
    })
    await askForReset(client, admin)
    assert.lengthOf(mailsFor(second, admin, /./), 1)
  })

  test('a server that never worked may be corrected', async ({ client, assert }) => {
    const { change } = await asAdmin(client)
    const [first, second] = [await server(), await server()]
    await change(named(first))
    await db.from('mails').where('status', 'sent').delete()
    await change(named(second))
    const admin = await createAdmin()
    await askForReset(client, admin)
    assert.lengthOf(mailsFor(second, admin, /./), 1)
  })
})

test.group('Settings | test mail', (group) => {
  let server: SmtpServer
  group.each.setup(async () => {
    server = await startServer({ user: 'gatehouse', pass: 'hunter2' })
  })
  group.each.teardown(async () => {
    await server.stop()
    await forgetSettings()
  })

  async function send(input: object) {
    const admin = await createAdmin()
    const actor = { ...userActor(admin.id, FROM), hasRecentAuthentication: true }
    const result = await testMail({ ...named(server), ...input }, actor)
    return { admin, result }
  }

  test('what is typed is tried and not stored', async ({ assert }) => {
    const typed = { SMTP_USERNAME: 'gatehouse', SMTP_PASSWORD: 'hunter2' }
    const { admin, result } = await send(typed)
    assert.isTrue(result.ok, result.message)
    assert.lengthOf(mailsFor(server, admin, /./), 1)
    assert.lengthOf(await db.from('settings'), 0)
  })

  test('a refusal has our words and some of the reply', async ({ assert }) => {
    const { result } = await send({ SMTP_USERNAME: 'gatehouse', SMTP_PASSWORD: 'wrong' })
    assert.isFalse(result.ok)
    assert.match(
      result.message,
      /^The server refuses the user name or the password\. It says: 535 /
    )
  })

  test('a port without a server is told', async ({ assert }) => {
    const { result } = await send({ SMTP_PORT: await freePort() })
    assert.deepEqual(result, {
      ok: false,
      message: 'No mail server answers at this host and port.',
    })
  })
})
