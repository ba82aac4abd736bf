import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { mailFilesDir } from '#config/mail'
import { SYSTEM } from '#audit/actor'
import { pruneMails } from '#mails/log/delete_mails'
import { countMails, findMail, listMails } from '#mails/log/mail_log'
import { retryMail } from '#mails/queue/retry_mail'
import { createUser, login, PASSWORD, someEmail } from '#tests/support/fixtures'
import {
  countsOf,
  deliverMails,
  mailsTo,
  mailFilesOf,
  queuePasswordChangedMail,
} from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'

async function lockOut(client: ApiClient, email: string) {
  for (let count = 1; count <= 5; count++) await login(client, { email, password: 'Wrong-h0rse!' })
}

test.group('Mail | account locked', () => {
  test('arrives once as a file of its own', async ({ client, assert }) => {
    const { email } = await createUser()
    await lockOut(client, email)
    await login(client, { email })
    await deliverMails()
    await deliverMails()
    const mails = await mailFilesOf(email)
    assert.lengthOf(mails, 1)
    assert.equal(mails[0].subject, 'Your account is temporarily locked')
    assert.match(mails[0].text, /\d{4}\sat\s\d\d:\d\d\sUTC/)
    assert.match(mails[0].text, /\d{4}\sat\s\d\d:\d\d\sUTC/)
  })

  test('is queued once however many guess at a time', async ({ client, assert }) => {
    const { email } = await createUser()
    const guesses = Array.from({ length: 30 }, () =>
      login(client, { email, password: 'Wrong-h0rse!' })
    )
    await Promise.all(guesses)
    await lockOut(client, email)
    assert.lengthOf(await mailsTo(email), 1)
  })

  test('mail to an unknown address is queued, then dropped', async ({ client, assert }) => {
    const email = someEmail()
    await lockOut(client, email)
    assert.lengthOf(await mailsTo(email), 1)
    await deliverMails()
    assert.lengthOf(await mailsTo(email), 0)
    assert.lengthOf(await mailFilesOf(email), 0)
  })
})

test.group('Mail | file', () => {
  test('is readable by the owner alone', async ({ assert }) => {
    const email = await queueNotice()
    await deliverMails()
    const [{ name }] = await mailFilesOf(email)
    const { mode } = await stat(join(mailFilesDir, name))
    assert.equal(mode & 0o777, 0o600)
    assert.match(name, /^\d{4}-\d\d-\d\dT[\d-]+Z_password_changed_[\da-f-]{36}\.eml$/)
  })

  test('has text and HTML and no line end of Unix', async ({ assert }) => {
    const email = await queueNotice()
    await deliverMails()
    const [{ raw }] = await mailFilesOf(email)
    assert.match(raw, /^Content-Type: multipart\/alternative/m)
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(raw, /^From: Gatehouse <no-reply@localhost>\r$/m)
    assert.notMatch(raw, /[^\r]\n/)
  })
})

test.group('Mail | queue', () => {
  test('forgets what a mail told once it is sent', async ({ assert }) => {
    const email = await queueNotice()
    await deliverMails()
    const [row] = await mailsTo(email)
    assert.equal(row.status, 'sent')
    assert.isNull(row.payload)
    assert.isAtLeast(Number(row.sent_at), Number(row.created_at))
  })

  test('sends nothing of a transaction that was rolled back', async ({ assert }) => {
    const user = await createUser({ password: null })
    const { email } = user
    const trx = await db.transaction()
    await queuePasswordChangedMail(user, trx)
    await trx.rollback()
    await deliverMails()
    assert.lengthOf(await mailFilesOf(email), 0)
    assert.lengthOf(await mailsTo(email), 0)
  })

  test('delivers each mail once with several workers', async ({ assert }) => {
    const emails = await Promise.all(Array.from({ length: 20 }, () => queueNotice()))
    await Promise.all([deliverMails(), deliverMails(), deliverMails()])
    for (const email of emails) {
      const [row] = await mailsTo(email)
      assert.equal(row.attempts, 1)
      assert.lengthOf(await mailFilesOf(email), 1)
    }
  })
})

test.group('Mail | retry', () => {
  test('queues a failed mail once for two who ask', async ({ assert }) => {
    const email = await queueNotice()
    const [{ id }] = await mailsTo(email)
    await db.from('queue_jobs').where('data', 'like', `%${id}%`).delete()
    await db.from('mails').where('id', id).update({ status: 'failed', attempts: 17 })
    const answers = await Promise.all([retryMail(id, SYSTEM), retryMail(id, SYSTEM)])
    assert.sameMembers(answers, [true, false])
    await deliverMails()
    assert.lengthOf(await mailFilesOf(email), 1)
    assert.containSubset(await findMail(id), { status: 'sent', attempts: 1 })
  })

  test('leaves a mail alone that was sent', async ({ assert }) => {
    const email = await queueNotice()
    await deliverMails()
    const [{ id }] = await mailsTo(email)
    assert.isFalse(await retryMail(id, SYSTEM))
  })

  test('lists a mail without what it says', async ({ assert }) => {
    const recipient = await queueNotice()
    const { data, meta } = await listMails({ recipient, status: 'queued' })
    assert.deepEqual(meta, { total: 1, page: 1, limit: 20 })
    assert.notProperty(data[0], 'payload')
    const counts = await countMails()
    assert.isAtLeast(counts.queued, 1)
    await deliverMails()
  })
})

test.group('Mail | deletion', () => {
  test('drops a sent mail after thirty days', async ({ assert }) => {
    const recipients = [await queueNotice(), await queueNotice()]
    await deliverMails()
    const now = Date.now()
    for (const [index, recipient] of recipients.entries()) {
      const sentAt = now - 30 * 86_400_000 - index
      await db.from('mails').where({ recipient }).update({ sent_at: sentAt })
    }
    await pruneMails(now)
    assert.lengthOf(await mailsTo(recipients[0]), 1)
    assert.lengthOf(await mailsTo(recipients[1]), 0)
    assert.deepEqual(await countsOf(recipients), [1, 0])
  })

  test('drops a failed mail after thirty days', async ({ assert }) => {
    const recipients = [await queueNotice(), await queueNotice()]
    const now = Date.now()
    for (const [index, recipient] of recipients.entries()) {
      const createdAt = now - 30 * 86_400_000 - index
      const failed = { status: 'failed', created_at: createdAt }
      await db.from('mails').where({ recipient }).update(failed)
    }
    await pruneMails(now)
    assert.lengthOf(await mailsTo(recipients[0]), 1)
    assert.lengthOf(await mailsTo(recipients[1]), 0)
  })

  test('drops the mails of a user that is deleted', async ({ client, assert }) => {
    const user = await createUser({ isVerified: false })
    await client.post('/auth/verify-email/resend').loginAs(user)
    await deliverMails()
    assert.lengthOf(await mailsTo(user.email), 1)
    const response = await client
      .delete('/auth/account')
      .loginAs(user)
      .json({ currentPassword: PASSWORD })
    response.assertStatus(200)
    assert.lengthOf(await mailsTo(user.email), 0)
  })
})

async function queueNotice() {
  const user = await createUser({ password: null })
  await db.transaction((trx) => queuePasswordChangedMail(user, trx))
  return user.email
}
