import { test } from '@japa/runner'
import { createUser } from '#tests/support/fixtures'
import { visitAs, withBrowser } from './visitor.ts'

test.group('Times in the console', (group) => {
  withBrowser(group)

  test('the console shows local times, with UTC as title', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { timezoneId: 'America/New_York' })
    await page.goto(`/admin/users/${user.id}`)
    const shown = page.locator('time[data-local=time]').first()
    const iso = await shown.getAttribute('datetime')
    assert.match((await shown.getAttribute('title'))!, / UTC$/)
    assert.equal(await shown.innerText(), inNewYork(Date.parse(iso!)))
    assert.notInclude(await shown.innerText(), 'UTC')
  })

  test('say UTC without script', async ({ assert }) => {
    await createUser()
    const { page, user } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto(`/admin/users/${user.id}`)
    const shown = page.locator('time[data-local=time]').first()
    assert.match(await shown.innerText(), /, \d\d:\d\d UTC$/)
  })
})

function inNewYork(at: number) {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const time = { hour: '2-digit', minute: '2-digit', timeZone: 'America/New_York' } as const
  return new Intl.DateTimeFormat('en-GB', { ...day, ...time }).format(at)
}
