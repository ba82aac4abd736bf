import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { editUser } from '#users/edit_user'
import { createUser, login, someEmail } from '#tests/support/fixtures'
import { visitAs, withBrowser } from './visitor.ts'

/** The distinct heights at which the filter fields and their button end, by row. */
const BASE_LINES = `(() => {
  const boxes = [...document.querySelectorAll('.filters .input, .filters .button')]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect())
  const rows = Map.groupBy(boxes, (box) => Math.round(box.top / 40))
  return [...rows.values()].map((row) => new Set(row.map((box) => Math.round(box.bottom))).size)
})()`

const UNFOLD = `for (const each of document.querySelectorAll('.filters details')) each.open = true`

/** Date fields, with or without a time, that are too narrow for their content. */
const CUT_FIELDS = `[...document.querySelectorAll('.filters input[type^=date]')]
  .filter((field) => field.offsetWidth < (field.type === 'date' ? 132 : 220)).length`

test.group('Filters', (group) => {
  withBrowser(group)

  test('stand on one line in each row')
    .with([
      { path: '/admin/users', width: 1280 },
      { path: '/admin/audit', width: 1280 },
      { path: '/admin/audit', width: 1000 },
      { path: '/admin/mails', width: 1280 },
      { path: '/admin/users?createdFrom=2026-11-01T10:00', width: 1280 },
      { path: '/admin/audit?from=2026-11-01T10:00', width: 390 },
    ])
    .run(async ({ assert }, { path, width }) => {
      const { page } = await visitAs(undefined, { viewport: { width, height: 800 } })
      await page.goto(path)
      const folded = (await page.evaluate(BASE_LINES)) as number[]
      await page.evaluate(UNFOLD)
      const lines = (await page.evaluate(BASE_LINES)) as number[]
      assert.deepEqual(new Set([...folded, ...lines]), new Set([1]))
      assert.equal(await page.evaluate(CUT_FIELDS), 0)
    })
})

test.group('Lines of the audit log', (group) => {
  withBrowser(group)

  test('give a rename and a role of one form a line each', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    await editUser(user.id, { username: 'After', role: 'Admin' }, SYSTEM)
    const { page } = await visitAs()
    await page.goto(`/admin/audit?account=${user.id}`)
    const rows = await page.locator('tbody tr').allInnerTexts()
    const titles = ['Name changed', 'Role changed']
    for (const [at, title] of titles.entries()) {
      assert.include(rows[at], title)
      assert.include(rows[at], 'Gatehouse itself')
    }
  })

  test('say who signed in, and how', async ({ client, assert }) => {
    const user = await createUser()
    await login(client, { email: user.email })
    const { page } = await visitAs()
    await page.goto(`/admin/audit?account=${user.id}`)
    const text = await page.locator('tbody').innerText()
    for (const words of ['Signed in', 'own account', 'Second factor: not set up']) {
      assert.include(text, words)
    }
  })

  test('name the address that no user has', async ({ client }) => {
    const email = someEmail()
    await login(client, { email })
    const { page } = await visitAs()
    await page.goto('/admin/audit?action=login.failed')
    await page.getByText(email).waitFor()
  })
})
