import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import db from '@adonisjs/lucid/services/db'
import { FAILED_SIGN_INS, RANGES, startOf, type Range } from '#audit/trail/activity'
import { lockUser } from '#users/lock_user'
import { SYSTEM } from '#audit/actor'
import { createUser, login } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import { visitAs, withBrowser } from './visitor.ts'

/** Returns the number in a text such as “26–50 of 1,348” or “455 in 30 days”. */
function numberIn(text: string) {
  const [number] = /\d[\d,]*(?!.* of )/.exec(text.replace(/^.* of /, ''))!
  return Number(number.replaceAll(',', ''))
}

async function tileOf(page: Page, label: string) {
  const tile = page.locator('.tile').filter({ has: page.getByText(label, { exact: true }) })
  const value = await tile.locator('.tile-value').innerText()
  return { value: numberIn(value), path: (await tile.getAttribute('href'))! }
}

function countEvents(from: number, actions: string[], outcome?: string) {
  const query = db.from('audit_events').where('occurred_at', '>=', from).whereIn('action', actions)
  if (outcome) query.where('outcome', outcome)
  return query.count('* as total').then(([row]) => Number(row.total))
}

test.group('Dashboard', (group) => {
  withBrowser(group)

  test('counts and plots what happened', async ({ client, assert }) => {
    const user = await createUser()
    await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    const { page } = await visitAs(undefined, { path: '/admin' })
    const plots = page.locator('img.plot')
    assert.equal(await plots.count(), 3)
    for (const plot of await plots.all()) {
      const width = await plot.evaluate((image) => (image as any).naturalWidth)
      assert.isAbove(width, 0)
      assert.match((await plot.getAttribute('alt'))!, /over the last 30 days: \d+ in total/)
    }
    await page.getByText('Show these plots as a table').click()
    assert.equal(await page.locator('details tbody tr').count(), 30)
    assert.equal(await page.getByText('Up', { exact: true }).count(), 2)
  })

  test('leads from each number to exactly its users')
    .with(Object.keys(RANGES).map((range) => ({ range })))
    .run(async ({ client, assert }, { range }) => {
      const user = await createUser()
      await user.merge({ mfaEnabled: true }).save()
      const other = await createUser()
      await login(client, { email: other.email })
      await lockUser(user.id, Date.now() + 60_000, SYSTEM)
      const { page } = await visitAs()
      for (const label of ['Users', 'Sign-ups', 'Active', 'With MFA', 'Locked']) {
        await page.goto(`/admin?range=${range}`)
        const { value, path } = await tileOf(page, label)
        assert.isAbove(value, 0, label)
        await page.goto(path)
        const summary = await page.getByRole('navigation', { name: 'Pages' }).innerText()
        assert.equal(numberIn(summary.split('\n')[0]), value, label)
      }
    })

  test('leads from each plot to exactly its events', async ({ client }) => {
    const user = await createUser()
    for (let count = 0; count < 5; count++) {
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    }
    const { page } = await visitAs()
    for (const range of Object.keys(RANGES) as Range[]) {
      const from = startOf(range)
      const totals = {
        'login.succeeded': await countEvents(from, ['login.succeeded']),
        'failed-sign-ins': await countEvents(from, FAILED_SIGN_INS, 'failure'),
        'account.locked': await countEvents(from, ['account.locked']),
      }
      for (const [action, total] of Object.entries(totals)) {
        await until(async () => {
          await page.goto(`/admin?range=${range}`)
          const link = page.locator(`figure a[href*="action=${action}"]`)
          return numberIn(await link.innerText()) === total
        })
      }
    }
  })

  test('opens the trail with the failures of all kinds', async ({ client, assert }) => {
    const user = await createUser()
    for (let count = 0; count < 5; count++) {
      await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    }
    const { page } = await visitAs()
    await page.goto(`/admin/audit?action=failed-sign-ins&account=${user.id}`)
    assert.equal(await page.locator('tbody tr').count(), 5)
    assert.equal(await page.getByLabel('Event').inputValue(), 'failed-sign-ins')
    await page.goto('/admin/audit?from=2026-01-01T10:34')
    assert.equal(await page.getByLabel('From (UTC)').inputValue(), '2026-01-01T10:34')
  })
})
