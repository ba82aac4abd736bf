import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { confirmPassword, visitAs, withBrowser } from './visitor.ts'

async function fieldsOf(page: Awaited<ReturnType<typeof visitAs>>['page'], path: string) {
  await page.goto(path)
  return page
    .locator('form.card-body')
    .evaluate((form: any) => Object.fromEntries(new (globalThis as any).FormData(form)))
}

test.group('A form that is sent twice', (group) => {
  withBrowser(group)

  test('creates one user and leads to them, {path}')
    .with([
      { path: '/admin/users/create', action: '/admin/users', mails: 0 },
      { path: '/admin/users/invite', action: '/admin/users/invite', mails: 1 },
    ])
    .run(async ({ assert }, { path, action, mails }) => {
      const { page } = await visitAs()
      const email = someEmail()
      const form = { ...(await fieldsOf(page, path)), email, username: 'Twice', password: PASSWORD }
      const send = () => page.request.post(action, { form, maxRedirects: 0 })
      const answers = [...(await Promise.all([send(), send()])), await send()]
      const user = await User.findByOrFail('email', email)
      for (const answer of answers) {
        assert.equal(answer.status(), 303)
        assert.include(answer.headers().location, `/admin/users/${user.id}`)
      }
      assert.lengthOf(await db.from('mails').where('recipient', email), mails)
    })

  test('creates one service account and leads to it', async ({ assert }) => {
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    const username = `Twice ${Date.now()}`
    const path = '/admin/users/create-service'
    const form = { ...(await fieldsOf(page, path)), username }
    const send = () => page.request.post(path, { form, maxRedirects: 0 })
    const answers = [...(await Promise.all([send(), send()])), await send()]
    const accounts = await User.query().where('username', username)
    assert.lengthOf(accounts, 1)
    for (const answer of answers) assert.include(answer.headers().location, accounts[0].id)
  })

  test('with an address of somebody else tells so', async ({ assert }) => {
    const { page, user } = await visitAs()
    const fields = await fieldsOf(page, '/admin/users/invite')
    const form = { ...fields, email: user.email, username: 'Other' }
    const answer = await page.request.post('/admin/users/invite', { form, maxRedirects: 0 })
    assert.equal(answer.status(), 409)
    assert.include(await answer.text(), 'Another account has this e-mail address already')
  })
})

test.group('A generated password', (group) => {
  withBrowser(group)

  test('is shown once and stays the same on reload', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Generate' }).click()
    await confirmPassword(page)
    await page.getByLabel('One-time password').waitFor()
    const { password: hash } = await User.findOrFail(user.id)
    await page.reload()
    await page.getByText('is shown only once').waitFor()
    assert.equal(await page.getByLabel('One-time password').count(), 0)
    const { password } = await User.findOrFail(user.id)
    assert.equal(password, hash)
  })
})
