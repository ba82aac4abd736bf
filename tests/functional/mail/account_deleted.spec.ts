import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import mail from '@adonisjs/mail/services/main'
import { SYSTEM } from '#audit/actor'
import { pruneMails } from '#mails/log/delete_mails'
import { deleteUser } from '#users/delete_user'
import { addServiceAccount } from '#users/service_accounts'
import { createAdmin, createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, mailsTo } from '#tests/support/mail'
import type { TestContext } from '@japa/runner/core'
import type User from '#models/user'

/** Makes the mail server answer with an error. */
function failWith(error: object, { cleanup }: TestContext) {
  const { transport } = mail.use() as any
  cleanup(() => {
    delete transport.send
  })
  transport.send = async () => {
    throw Object.assign(new Error('refused'), error)
  }
}

/** Returns the tables that name an address, queued jobs included. */
async function placesOf({ id, email }: User) {
  const mails = await db.from('mails').where('recipient', email).orWhere('user_id', id)
  const jobs = await db.from('queue_jobs').where('data', 'like', `%${mails[0]?.id ?? email}%`)
  const files = await mailFilesOf(email)
  return { mails: mails.length, jobs: jobs.length, files: files.length }
}

const NOWHERE = { mails: 0, jobs: 0, files: 0 }

test.group('Mail of a deleted account', () => {
  test('is one, in the language of its user', async ({ assert }) => {
    const user = await createUser({ username: 'Ada' })
    await user.merge({ locale: 'fr' }).save()
    await deleteUser(user.id, SYSTEM)
    const queued = await mailsTo(user.email)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.deepEqual(
      queued.map(({ kind, user_id: userId }) => ({ kind, userId })),
      [{ kind: 'account_deleted', userId: null }]
    )
    assert.lengthOf(mails, 1)
    assert.include(mails[0].text, 'Bonjour Ada')
    assert.include(mails[0].html, 'Votre compte a été supprimé')
  })

  test('follows a deletion by the user', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const body = { currentPassword: PASSWORD }
    const response = await client.delete('/auth/account').headers(headers).json(body)
    response.assertStatus(200)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.lengthOf(mails, 1)
  })

  test('follows a deletion by an administrator', async ({ client, assert }) => {
    const [user, admin] = [await createUser(), await createAdmin()]
    const { headers } = await signedIn(client, admin)
    const response = await client.delete(`/users/${user.id}`).headers(headers)
    response.assertStatus(200)
    await deliverMails()
    const mails = await mailFilesOf(user.email)
    assert.lengthOf(mails, 1)
  })

  test('leaves nothing once it was sent', async ({ assert }) => {
    const user = await createUser()
    await deleteUser(user.id, SYSTEM)
    await deliverMails()
    assert.deepEqual(await placesOf(user), { ...NOWHERE, files: 1 })
    await pruneMails()
    assert.deepEqual(await placesOf(user), NOWHERE)
  })

  test('leaves nothing once it was refused for good', async (context) => {
    const user = await createUser()
    await deleteUser(user.id, SYSTEM)
    failWith({ code: 'EENVELOPE', responseCode: 550 }, context)
    await deliverMails()
    context.assert.deepEqual(await placesOf(user), NOWHERE)
  })

  test('waits while the mail server is down', async (context) => {
    const user = await createUser()
    await deleteUser(user.id, SYSTEM)
    failWith({ code: 'ECONNREFUSED' }, context)
    await deliverMails()
    context.assert.deepEqual(await placesOf(user), { mails: 1, jobs: 1, files: 0 })
  })

  test('goes to no address that was never verified', async ({ assert }) => {
    const user = await createUser({ isVerified: false })
    await deleteUser(user.id, SYSTEM)
    assert.isEmpty(await mailsTo(user.email))
  })

  test('a service account gets no mail of its deletion', async ({ assert }) => {
    const { id, email } = await addServiceAccount({ username: 'Reports' }, SYSTEM)
    await deleteUser(id, SYSTEM)
    assert.isEmpty(await mailsTo(email))
  })

  test('is not queued where the deletion is refused', async ({ assert }) => {
    const user = await createUser()
    const assertDeletable = () => {
      throw new Error('must stay')
    }
    await assert.rejects(() => deleteUser(user.id, SYSTEM, { assertDeletable }), 'must stay')
    assert.isEmpty(await mailsTo(user.email))
  })
})
