import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findGroupByName } from '#groups/group_rows'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { groupNamesOf } from '#groups/names_of'
import { setProvidedGroups } from '#groups/provided/provided_groups'
import { createUser } from '#tests/support/fixtures'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const plain = { idleMinutes: 0, javaScriptEnabled: false }

const HOSTILE = '<script>document.title = 1</script> 😀 שלום'

async function namesOf({ id }: User) {
  return groupNamesOf(await User.findOrFail(id))
}

test.group('Console | groups', (group) => {
  withBrowser(group)

  test('a group is made, renamed and deleted without JavaScript', async ({ assert }) => {
    const name = `${HOSTILE} ${randomUUID()}`
    const { page } = await visitAs(undefined, { path: '/admin', ...plain })
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('link', { name: 'Create a group' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Title').fill('Staff')
    await page.getByRole('button', { name: 'Create a group' }).click()
    await page.getByText('The group was created.').waitFor()
    assert.equal(await page.locator('h1').innerText(), name)
    await page.getByLabel('Name', { exact: true }).fill(`${name}!`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    await page.getByRole('link', { name: 'Delete …' }).click()
    await page.getByText('It has no members.').waitFor()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText(`${name}! was deleted.`).waitFor()
    assert.isNull(await findGroupByName(`${name}!`))
  })

  test('a name that another group has is refused at its field', async ({ assert }) => {
    const { name } = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    const { page } = await visitAs(undefined, plain)
    for (const wrong of [name.toUpperCase(), 'acme:staff', ' ']) {
      await page.goto('/admin/groups/create')
      await page.locator('#field-name').evaluate('(field) => field.removeAttribute("required")')
      await page.getByLabel('Name').fill(wrong)
      await page.getByRole('button', { name: 'Create a group' }).click()
      await page.locator('#field-name-error').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), wrong)
    }
  })

  test('members come and go on the page of the group', async ({ assert }) => {
    const made = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    const user = await createUser()
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/groups/${made.id}`)
    for (const member of ['nobody@example.org', user.email]) {
      await page.getByLabel('Add a member').fill(member)
      await page.getByRole('button', { name: 'Add' }).click()
    }
    await page.getByText(`${user.email} is a member of ${made.name}.`).waitFor()
    const added = await namesOf(user)
    await page.getByRole('button', { name: `Remove ${user.email}` }).click()
    await page.getByText(`${user.email} is no longer a member of ${made.name}.`).waitFor()
    assert.deepEqual([added, await namesOf(user)], [[made.name], []])
  })

  test('an unknown member is refused at the field', async () => {
    const made = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/groups/${made.id}`)
    await page.getByLabel('Add a member').fill('nobody@example.org')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('No account has this e-mail, handle or ID').waitFor()
  })

  test('many members are shown page by page', async ({ assert }) => {
    const made = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    for (let at = 0; at < 51; at += 1) {
      const { id } = await createUser({ password: null })
      await addMember(id, made.id, SYSTEM)
    }
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/groups/${made.id}`)
    const rows = page.locator('#members li')
    const first = await rows.count()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'First' }).waitFor()
    assert.deepEqual([first, await rows.count()], [50, 1])
  })

  test('the list is searched by name and title', async ({ assert }) => {
    const word = randomUUID()
    await createGroup({ name: `Staff ${word}` }, SYSTEM)
    await createGroup({ name: randomUUID(), title: `The ${word}` }, SYSTEM)
    await createGroup({ name: randomUUID() }, SYSTEM)
    const { page } = await visitAs(undefined, plain)
    await page.goto('/admin/groups')
    await page.getByLabel('Name or title').fill(word.toUpperCase())
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('2 groups').waitFor()
    assert.equal(await page.locator('tbody tr').count(), 2)
  })

  test('a user is added to a group and taken out of it', async ({ assert }) => {
    const made = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
    const user = await createUser()
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name of a group').fill('no such group')
    await page.getByRole('button', { name: 'Add to group' }).click()
    await page.locator('#field-group-error').waitFor()
    await page.getByLabel('Name of a group').fill(made.name.toLowerCase())
    await page.getByRole('button', { name: 'Add to group' }).click()
    await page.getByText(`${user.email} is a member of ${made.name}.`).waitFor()
    await page.getByRole('button', { name: `Remove ${user.email} from ${made.name}` }).click()
    await page.getByText(`${user.email} is no longer a member of ${made.name}.`).waitFor()
    assert.deepEqual(await namesOf(user), [])
  })

  test('memberships of a provider have no button', async ({ assert }) => {
    const user = await createUser()
    const name = randomUUID()
    const from = { userId: user.id, provider: 'acme', groups: [name], actor: SYSTEM }
    await db.transaction((trx) => setProvidedGroups(from, trx))
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/users/${user.id}#groups`)
    await page.getByText('From acme').waitFor()
    const buttons = page.locator('#groups').getByRole('button', { name: 'Remove' })
    await page.getByRole('link', { name: `acme:${name}` }).click()
    await page.getByText('Each sign-in with acme sets the members.').waitFor()
    assert.equal(await buttons.count(), 0)
    assert.equal(await page.getByLabel('Add a member').count(), 0)
    await assertAccessible(page, assert)
  })
})
