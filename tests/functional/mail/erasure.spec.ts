import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freezeTime, test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import mail from '@adonisjs/mail/services/main'
import { mailFilesDir } from '#config/mail'
import { BATCH_SIZE } from '#database/batches'
import { SYSTEM } from '#audit/actor'
import { finishDeletions } from '#maintenance/finish_deletions'
import { recordAudit } from '#audit/record_audit'
import { pruneMails } from '#mails/log/delete_mails'
import { noteMailErasure } from '#mails/log/erase_mails'
import { queuePasswordResetMail } from '#mails/queue/queue_link_mails'
import { draftNameOf } from '#mails/file_transport'
import { mailFileName } from '#mails/log/mail_file'
import { deleteUser } from '#users/delete_user'
import { createUser, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, mailsTo, queuePasswordChangedMail } from '#tests/support/mail'

const HOUR_MS = 3_600_000

const names = () => readdir(mailFilesDir)

/** Writes a mail file that contains an address and has the given age. */
async function writeMailFile(name: string, ageMs = 0) {
  await mkdir(mailFilesDir, { recursive: true })
  await writeFile(join(mailFilesDir, name), 'To: somebody@example.org\r\n')
  const written = new Date(Date.now() - ageMs)
  await utimes(join(mailFilesDir, name), written, written)
  return name
}

const nameOf = (id = uuidv7()) =>
  mailFileName({ id, kind: 'password_changed', created_at: Date.now() })

/** Makes a mail that waits in the queue. */
async function queued() {
  const user = await createUser({ password: null })
  await db.transaction((trx) => queuePasswordChangedMail(user, trx))
  const [row] = await mailsTo(user.email)
  return { user, row }
}

async function insertMails(count: number, values: object) {
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(),
    kind: 'password_changed',
    status: 'sent',
    attempts: 1,
    created_at: Date.now(),
    sent_at: Date.now(),
    ...values,
  }))
  for (let at = 0; at < count; at += 100)
    await db.table('mails').multiInsert(rows.slice(at, at + 100))
}

test.group('Mail erasure | delivery', () => {
  test('a mail written while its user is deleted leaves no file', async ({ assert, cleanup }) => {
    const { user, row } = await queued()
    const { transport } = mail.use() as any
    const { send } = transport
    cleanup(() => {
      delete transport.send
    })
    transport.send = async (...message: unknown[]) => {
      delete transport.send
      await deleteUser(user.id, SYSTEM)
      return send.apply(transport, message)
    }
    await deliverMails()
    assert.isEmpty(await mailsTo(user.email))
    const files = await names()
    assert.isEmpty(files.filter((name) => name.includes(row.id)))
  })

  test('a mail that is sent keeps its file', async ({ assert }) => {
    const { user } = await queued()
    await deliverMails()
    await pruneMails()
    assert.lengthOf(await mailFilesOf(user.email), 1)
  })
})

test.group('Mail erasure | files', () => {
  test('without a row are removed, drafts too', async ({ assert }) => {
    const file = await writeMailFile(nameOf())
    const draft = await writeMailFile(draftNameOf(nameOf()))
    await pruneMails()
    assert.notIncludeMembers(await names(), [file])
    assert.notIncludeMembers(await names(), [draft])
  })

  test('that are written at this moment stay', async ({ assert }) => {
    const { row } = await queued()
    const draft = await writeMailFile(draftNameOf(mailFileName(row)))
    await pruneMails()
    assert.include(await names(), draft)
    await deliverMails()
    assert.notInclude(await names(), draft)
  })

  test('of a draft that was left an hour ago are removed', async ({ assert }) => {
    const { row } = await queued()
    await deliverMails()
    const draft = await writeMailFile(draftNameOf(mailFileName(row)), HOUR_MS + 60_000)
    await pruneMails()
    assert.notInclude(await names(), draft)
    assert.include(await names(), mailFileName(row))
  })

  test('of others are left alone', async ({ assert }) => {
    const notes = await writeMailFile(`notes-${uuidv7()}.eml`)
    await pruneMails()
    assert.include(await names(), notes)
  })
})

test.group('Mail erasure | many mails', () => {
  test('a deletion removes mails by user and by address', async ({ assert }) => {
    const user = await createUser({ password: null })
    const count = 2 * BATCH_SIZE + 1
    await insertMails(count, { user_id: user.id, recipient: someEmail() })
    await insertMails(count, { user_id: null, recipient: user.email })
    await deleteUser(user.id, SYSTEM)
    assert.isEmpty(await db.from('mails').where('user_id', user.id))
    const [last, ...others] = await mailsTo(user.email)
    assert.equal(last.kind, 'account_deleted')
    assert.isEmpty(others)
    await deliverMails()
    assert.isEmpty(await mailsTo(user.email))
    assert.isEmpty(await db.from('mail_erasures').where('user_id', user.id))
  })

  test('to the address stay that are of another user', async ({ assert }) => {
    const [previous, user] = [await createUser(), await createUser({ password: null })]
    const notices = { status: 'queued', recipient: user.email }
    await insertMails(1, { ...notices, user_id: previous.id, kind: 'email_change_requested' })
    await insertMails(1, { ...notices, user_id: previous.id, kind: 'email_change_confirmed' })
    await insertMails(1, { ...notices, user_id: null, kind: 'account_deleted' })
    await insertMails(1, { ...notices, user_id: null, kind: 'password_reset' })
    await deleteUser(user.id, SYSTEM)
    const left = await mailsTo(user.email)
    assert.sameMembers(
      left.map(({ kind }) => kind),
      ['email_change_requested', 'email_change_confirmed', 'account_deleted', 'account_deleted']
    )
  })

  test('that a crash has left go with the next start', async ({ assert }) => {
    const [userId, recipient] = [uuidv7(), someEmail()]
    await insertMails(3, { user_id: userId, recipient })
    const erasure = { user_id: userId, recipient, before: uuidv7() }
    await db.table('mail_erasures').insert(erasure)
    await insertMails(1, { user_id: null, recipient })
    await Promise.all([finishDeletions(), finishDeletions()])
    const left = await mailsTo(recipient)
    assert.lengthOf(left, 1)
    assert.isNull(left[0].user_id)
    assert.isEmpty(await db.from('mail_erasures').where('user_id', userId))
  })

  test('to the address stay that are queued in the same millisecond', async ({ assert }) => {
    freezeTime()
    const { user } = await queued()
    const recipient = user.email
    await db.transaction(async (trx) => {
      await noteMailErasure(user, trx)
      await trx.from('users').where('id', user.id).delete()
      await recordAudit({ action: 'account.deleted', actor: SYSTEM, targetId: user.id }, trx)
      await queuePasswordResetMail(recipient, { from: null, budget: null }, trx)
    })
    await finishDeletions()
    const left = await mailsTo(recipient)
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ['password_reset']
    )
  })

  test('stay where the deletion is refused', async ({ assert }) => {
    const user = await createUser({ password: null })
    await insertMails(2, { user_id: user.id, recipient: user.email })
    const assertDeletable = () => {
      throw new Error('must stay')
    }
    await assert.rejects(() => deleteUser(user.id, SYSTEM, { assertDeletable }), 'must stay')
    await finishDeletions()
    assert.lengthOf(await mailsTo(user.email), 2)
  })
})
