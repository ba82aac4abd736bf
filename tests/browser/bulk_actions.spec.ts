import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { createUser } from '#tests/support/fixtures'
import { assertAccessible, attributeOf, confirmPassword, visitAs, withBrowser } from './visitor.ts'

/** Makes users without a password, all of whom one name finds. */
async function createTagged(count: number) {
  const tag = `Bulk${Date.now().toString(36)}`
  for (let index = 0; index < count; index++) await createUser({ username: tag, password: null })
  return tag
}

function countLocked(tag: string) {
  return db
    .from('users')
    .where('username', tag)
    .whereNotNull('locked_until')
    .count('* as total')
    .first()
    .then((row) => Number(row.total))
}

const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test.group('Ticked users', (group) => {
  withBrowser(group)

  test('does the same to several, after showing whom', async ({ assert }) => {
    const tag = `Bulk${Date.now().toString(36)}`
    const users = await Promise.all([1, 2].map(() => createUser({ username: tag })))
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    await page.locator('[data-tick-all]').check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('heading', { name: 'Disable these users?' }).waitFor()
    await page.waitForLoadState()
    for (const { email } of users) assert.equal(await page.getByText(email).count(), 1)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('2 users were disabled.').waitFor()
    for (const user of users) assert.equal(await attributeOf(user, 'isDisabled'), true)
  })

  test('deletes several only for who gives the password again', async ({ assert }) => {
    const tag = `Gone${Date.now().toString(36)}`
    const users = await Promise.all(
      Array.from({ length: 25 }, () => createUser({ username: tag, password: null }))
    )
    const { page, user: admin } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    await page.locator('[data-tick-all]').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirmPassword(page, 'Wrong-h0rse!')
    assert.include(await page.locator('#field-password-error').innerText(), 'incorrect')
    await confirmPassword(page)
    await page.getByText('25 users were deleted.').waitFor()
    assert.lengthOf(
      await User.query().whereIn(
        'id',
        users.map(({ id }) => id)
      ),
      0
    )
    assert.exists(await User.find(admin.id))
  })

  test('adds several to a group that exists', async ({ assert }) => {
    const made = await createGroup({ name: `Staff ${Date.now().toString(36)}` }, SYSTEM)
    const tag = await createTagged(2)
    const { page } = await visitAs(undefined, { idleMinutes: 0, javaScriptEnabled: false })
    await page.goto(`/admin/users?search=${tag}`)
    for (const tick of await page.locator('input[name="ids[]"]').all()) await tick.check()
    await choose(page, 'Add to group')
    await page.getByRole('heading', { name: 'Add these users to a group?' }).waitFor()
    await page.getByLabel('Name of a group').fill('no such group')
    await choose(page, 'Add to group')
    await page.locator('#field-group-error').waitFor()
    await page.getByLabel('Name of a group').fill(made.name)
    await choose(page, 'Add to group')
    await page.getByText('2 users are in the group now.').waitFor()
    const found = await findGroupByName(made.name)
    assert.equal(found?.memberCount, 2)
  })

  test('leaves out the user of who acts', async ({ assert }) => {
    const { page, user } = await visitAs()
    await page.goto(`/admin/users?search=${user.email}`)
    await page.getByLabel(`Select ${user.email}`).check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('You cannot do this to your own account').waitFor()
    assert.equal(await attributeOf(user, 'isDisabled'), false)
  })

  test('are left with their list as it was', async ({ assert }) => {
    const tag = await createTagged(30)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}&sort=-email`)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('26–30 of 30').waitFor()
    const address = page.url()
    await page.locator('[data-tick-all]').check()
    await choose(page, 'Lock')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(address)
    await page.locator('[data-tick-all]').check()
    await choose(page, 'Lock')
    await choose(page, 'Lock')
    await page.getByText('5 users were locked.').waitFor()
    assert.equal(page.url(), address)
    await page.getByText('26–30 of 30').waitFor()
  })

  test('bring the buttons, which need no script', async ({ assert }) => {
    const tag = await createTagged(1)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    const button = page.getByRole('button', { name: 'Disable' })
    assert.isFalse(await button.isVisible())
    await page.locator('tbody .tick').check()
    assert.isTrue(await button.isVisible())
    const { page: plain } = await visitAs(undefined, { javaScriptEnabled: false })
    await plain.goto(`/admin/users?search=${tag}`)
    assert.isTrue(await plain.getByRole('button', { name: 'Disable' }).isVisible())
  })

  test('may be a hundred at once', async ({ assert }) => {
    const tag = await createTagged(101)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    await page.getByRole('link', { name: '100', exact: true }).click()
    await page.getByText('1–100 of 101').waitFor()
    await page.locator('[data-tick-all]').check()
    await choose(page, 'Lock')
    await choose(page, 'Lock')
    await page.getByText('100 users were locked.').waitFor()
    assert.equal(await countLocked(tag), 100)
  })
})

test.group('All users that match', (group) => {
  withBrowser(group)

  test('are counted, asked about and changed')
    .with([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])
    .run(async ({ assert }, options) => {
      const tag = await createTagged(120)
      const { page } = await visitAs(undefined, options)
      await page.goto(`/admin/users?search=${tag}&sort=-email`)
      await page.getByLabel('All 120 that match').check()
      await choose(page, 'Lock')
      await page.getByRole('heading', { name: '120 users' }).waitFor()
      await page.getByText('and 110 more').waitFor()
      await choose(page, 'Lock all 120')
      if (!options.javaScriptEnabled) {
        await page.getByRole('heading', { name: '100 users locked so far' }).waitFor()
        assert.equal(await countLocked(tag), 100)
        await choose(page, 'Continue')
      }
      await page.getByText('120 users were locked.').waitFor()
      assert.include(page.url(), 'sort=-email')
      assert.equal(await countLocked(tag), 120)
    })

  test('are asked about again when they have changed', async ({ assert }) => {
    const tag = await createTagged(26)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    await page.getByLabel('All 26 that match').check()
    await choose(page, 'Lock')
    await page.getByRole('heading', { name: '26 users' }).waitFor()
    const other = await createUser({ username: tag })
    await choose(page, 'Lock all 26')
    await page.getByText('The list changed meanwhile: 27 match now.').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await countLocked(tag), 0)
    await choose(page, 'Lock all 27')
    await page.getByText('27 users were locked.').waitFor()
    await other.refresh()
    assert.isTrue(other.isLocked())
  })

  test('are deleted only after the password', async ({ assert }) => {
    const tag = await createTagged(26)
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    await page.getByLabel('All 26 that match').check()
    await choose(page, 'Delete')
    await choose(page, 'Delete all 26')
    assert.lengthOf(await User.query().where('username', tag), 26)
    await confirmPassword(page)
    await page.getByText('26 users were deleted.').waitFor()
    assert.lengthOf(await User.query().where('username', tag), 0)
  })

  test('a form without a list changes no user', async ({ assert }) => {
    const { page, user } = await visitAs()
    await page.goto(`/admin/users?search=${user.email}`)
    const form = page.locator('form[action="/admin/users/bulk"]')
    await form.evaluate((each: any) => {
      each.elements.list.value = 'status=everybody'
      each.insertAdjacentHTML('beforeend', '<input name="all" value="true">')
      each.insertAdjacentHTML('beforeend', '<input name="action" value="disable">')
      each.submit()
    })
    await page.getByText('Select at least one user').waitFor()
    assert.equal(await attributeOf(user, 'isDisabled'), false)
  })
})
