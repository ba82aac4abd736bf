import { test } from '@japa/runner'
import limits from '#config/limits'
import { createUser, someAddress, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf, mailsTo } from '#tests/support/mail'
import { TestBrowser } from '../functional/external/browser.ts'
import { assertAccessible, visit, withBrowser } from './visitor.ts'

const PLAIN = { javaScriptEnabled: false }

/** Returns the answer to the form without its nonce, which is always new. */
async function ask(email: string) {
  const response = await new TestBrowser().submit('/forgot-password', { email })
  const text = await response.text()
  return { status: response.status, text: text.replaceAll(/ nonce="[^"]*"/g, '') }
}

test.group('Forgotten password', (group) => {
  withBrowser(group)

  test('is replaced by a mail asked for at the sign-in', async ({ assert }) => {
    const user = await createUser()
    const page = await visit(PLAIN)
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    const [mail] = await mailsTo(user.email)
    assert.equal(mail.kind, 'password_reset')
  })

  test('has a page that is accessible, {look}')
    .with([
      { look: 'light', options: { colorScheme: 'light' as const } },
      { look: 'dark', options: { colorScheme: 'dark' as const } },
      { look: 'narrow', options: { viewport: { width: 320, height: 740 } } },
    ])
    .run(async ({ assert }, { options }) => {
      const page = await visit(options)
      await page.goto('/forgot-password')
      await assertAccessible(page, assert)
    })

  test('is offered where a link has ended')
    .with(['/reset-password?token=x', '/accept-invitation?token=x'])
    .run(async (_, path) => {
      const page = await visit(PLAIN)
      await page.goto(path)
      await page.getByRole('link', { name: 'Reset your password' }).click()
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    })

  test('is answered alike for known and unknown addresses', async ({ assert }) => {
    const user = await createUser()
    const [known, unknown] = [await ask(user.email), await ask(someEmail())]
    assert.equal(known.status, 200)
    assert.deepEqual(known, unknown)
  })

  test('counts together with requests to the API', async ({ client, assert }) => {
    const [{ email }, address] = [await createUser(), someAddress()]
    const { limit } = limits.mailRecipient
    for (let count = 1; count < limit; count++) {
      const request = client.post('/auth/forgot-password').header('x-forwarded-for', address)
      await request.json({ email })
    }
    const answers = [await ask(email), await ask(email)]
    for (const { status } of answers) assert.equal(status, 200)
    await deliverMails()
    assert.lengthOf(await mailFilesOf(email), limit)
  })

  test('of a text that is no address is told beside the field', async ({ assert }) => {
    const { status, text } = await ask('no')
    assert.equal(status, 422)
    assert.include(text, 'field-email-error')
  })

  test('is refused without the token of the form', async ({ client }) => {
    const response = await client.post('/forgot-password').form({ email: someEmail() })
    response.assertStatus(403)
  })

  test('has its page in the mails that mention it', async ({ client, assert }) => {
    const user = await createUser()
    for (let tries = 0; tries < 5; tries++) {
      await client.post('/auth/login').json({ email: user.email, password: 'Wrong-h0rse!' })
    }
    await deliverMails()
    const [{ text }] = await mailFilesOf(user.email)
    assert.include(text, `${process.env.APP_URL}/forgot-password`)
  })
})
