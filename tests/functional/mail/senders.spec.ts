import { test } from '@japa/runner'
import { createUser, PASSWORD, signedIn, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'
import type { Headers } from '../users/change_address.ts'

/*
 | Mails that one user causes in the mailbox of another user: by registering that address, or by
 | requesting it as a new address.
 */

async function countTo(email: string, kind: string) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.filter((mail) => mail.kind === kind).length
}

async function repeat(times: number, act: () => Promise<unknown>) {
  for (let count = 1; count <= times; count++) await act()
}

async function register(client: ApiClient, email: string) {
  const request = client.post('/auth/register').header('x-forwarded-for', someAddress())
  const registered = await request.json({ email, username: 'Ada', password: PASSWORD })
  registered.assertStatus(201)
  await deliverMails()
  const { headers } = await signedIn(client, registered.body())
  return headers
}

function resend(client: ApiClient, headers: Headers) {
  const request = client.post('/auth/verify-email/resend').header('x-forwarded-for', someAddress())
  return request.headers(headers).json({})
}

function askFor(client: ApiClient, headers: Headers, email: string) {
  const body = { email, currentPassword: PASSWORD }
  return client.put('/auth/profile').headers(headers).json(body)
}

/** Requests the address `times` times: first by a change of address, then by resends. */
async function sender(client: ApiClient, email: string, times = 1) {
  const { headers } = await signedIn(client, await createUser())
  const asked = await askFor(client, headers, email)
  asked.assertStatus(200)
  await repeat(times - 1, () => resend(client, headers))
  await deliverMails()
}

test.group('Mail | to an address that a stranger registers', () => {
  test('resends within the session stay within the limit', async ({ client, assert }) => {
    const email = someEmail()
    const headers = await register(client, email)
    await repeat(5, () => resend(client, headers))
    assert.equal(await countTo(email, 'email_verification'), 5)
  })

  test('the limit outlives the account', async ({ client, assert }) => {
    const email = someEmail()
    let sent = 0
    await repeat(4, async () => {
      const headers = await register(client, email)
      await repeat(5, () => resend(client, headers))
      sent += await countTo(email, 'email_verification')
      const deletion = client.delete('/auth/account').headers(headers)
      const deleted = await deletion.json({ currentPassword: PASSWORD })
      deleted.assertStatus(200)
    })
    assert.equal(sent, 6)
  })
})

test.group('Mail | to an address that several users want', () => {
  test('one who asks {times} times mails {sent}')
    .with([
      { times: 1, sent: 1 },
      { times: 2, sent: 2 },
      { times: 3, sent: 2 },
    ])
    .run(async ({ client, assert }, { times, sent }) => {
      const email = someEmail()
      await sender(client, email, times)
      assert.equal(await countTo(email, 'email_change'), sent)
    })

  test('one user cannot silence the next', async ({ client, assert }) => {
    const email = someEmail()
    await sender(client, email, 5)
    await sender(client, email)
    assert.equal(await countTo(email, 'email_change'), 3)
  })

  test('six users mail ten in all', async ({ client, assert }) => {
    const email = someEmail()
    await repeat(6, () => sender(client, email, 2))
    assert.equal(await countTo(email, 'email_change'), 10)
  })
})
