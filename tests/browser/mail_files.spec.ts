import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { createUser, someEmail } from '#tests/support/fixtures'
import { deliverMails } from '#tests/support/mail'
import { assertAccessible, confirmPassword, visit, visitAs, withBrowser } from './visitor.ts'

test.group('Mails without a mail server', (group) => {
  withBrowser(group)

  test('give the link of an invitation to the administrator', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/invite')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name').fill('Joan Clarke')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()
    await deliverMails()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await confirmPassword(page)
    const link = await page.getByLabel('Link', { exact: true }).innerText()
    await assertAccessible(page, assert)
    const { pathname, search } = new URL(link)
    const guest = await visit({ javaScriptEnabled: false })
    await guest.goto(pathname + search)
    assert.equal(await guest.getByLabel('E-mail').inputValue(), email)
    const events = await db.from('audit_events').where('action', 'mail.read')
    assert.isAbove(events.length, 0)
    assert.notInclude(JSON.stringify(events), search.slice(7))
  })

  test('are written to a file, and say so', async () => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Send e-mail' }).click()
    await page.getByText('was written to a file').waitFor()
    await deliverMails()
    await page.goto(`/admin/mails?recipient=${user.email}`)
    await page.getByText('Written to a file', { exact: true }).waitFor()
  })
})
