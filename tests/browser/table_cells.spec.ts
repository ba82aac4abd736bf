import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { lockUser } from '#users/lock_user'
import { updateUser } from '#users/update_user'
import { createUser, signedIn, someEmail } from '#tests/support/fixtures'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const HOUR_MS = 3_600_000

/** Returns the longest address that is accepted, without a place where a line could break. */
function longEmail() {
  const [local, domain] = someEmail().split('@')
  return `${local.padEnd(64, 'x')}@${'d'.repeat(60)}.${'e'.repeat(60)}.${domain}`
}

/** The cells whose contents overflow into the next column. */
const CROWDED_CELLS = `[...document.querySelectorAll('td')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
  .map((cell) => cell.innerText)`

test.group('Long addresses', (group) => {
  withBrowser(group)

  test('make no page wider than the screen')
    .with([{ width: 1280 }, { width: 390 }])
    .run(async ({ client, assert }, { width }) => {
      const user = await createUser({ email: longEmail() })
      await signedIn(client, user)
      const { page } = await visitAs(undefined, { viewport: { width, height: 800 } })
      for (const path of ['/admin/sessions', `/admin/users/${user.id}/delete`]) {
        await page.goto(path)
        await page.getByTitle(user.email).first().waitFor()
        await assertAccessible(page, assert)
      }
    })
})

test.group('Table cells', (group) => {
  withBrowser(group)

  test('keep the badge of a lock in its column', async ({ assert }) => {
    const user = await createUser({ role: 'User' })
    await lockUser(user.id, Date.now() + HOUR_MS, SYSTEM)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${user.email}`)
    await page.getByTitle('Locked by an administrator for').waitFor()
    assert.deepEqual(await page.evaluate(CROWDED_CELLS), [])
  })

  test('keep the name of an event in its column', async ({ assert }) => {
    const user = await createUser()
    await updateUser(user.id, { username: 'After', nickname: 'Nick' }, SYSTEM)
    const { page } = await visitAs()
    await page.goto(`/admin/audit?account=${user.id}`)
    await page.getByText('Name and nickname changed').waitFor()
    assert.deepEqual(await page.evaluate(CROWDED_CELLS), [])
  })
})
