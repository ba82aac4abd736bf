import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { findClientById } from '#oidc/clients/client_rows'
import { updateClient } from '#oidc/clients/clients'
import { createUser } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const plain = { idleMinutes: 0, javaScriptEnabled: false }

/** Makes an application that only the members of a group may use. */
async function restricted() {
  const group = await createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)
  const name = `Grafana ${randomUUID()}`
  const { client } = await application({ name, kind: 'first_party' })
  const rule = { access: 'groups' as const, allowedGroups: [group.name] }
  await updateClient(client.id, rule, SYSTEM)
  return { group, client, name }
}

test.group('Console | access', (group) => {
  withBrowser(group)

  test('the form of an application says who may use it', async ({ assert }) => {
    const { group: staff } = await restricted()
    const { client } = await application({ name: 'Wiki' })
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/clients/${client.id}`)
    await page.locator('summary', { hasText: /^Access$/ }).click()
    await page.getByLabel('Who may use it').selectOption('groups')
    await page.getByLabel('Groups', { exact: true }).fill('no such group')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('#field-allowedGroups-error').waitFor()
    await page.getByLabel('Groups', { exact: true }).fill(staff.name.toLowerCase())
    await page.getByLabel('Require two-step verification').check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const { access, allowedGroups, requireMfa } = (await findClientById(client.id))!
    assert.deepEqual([access, allowedGroups, requireMfa], ['groups', [staff.name], true])
  })

  test('the page of a group leads to the applications that it opens', async ({ assert }) => {
    const { client, name, group: staff } = await restricted()
    const other = await createGroup({ name: `Guests ${randomUUID()}` }, SYSTEM)
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/groups/${other.id}`)
    await page.getByText('No application is limited to this group.').waitFor()
    await page.goto(`/admin/groups/${staff.id}`)
    assert.equal(await page.locator('#applications li').count(), 1)
    await page.getByRole('link', { name, exact: true }).click()
    assert.equal(new URL(page.url()).pathname, `/admin/clients/${client.id}`)
  })

  test('one page says why a user may not use an application', async () => {
    const { client, name, group: staff } = await restricted()
    const ada = await createUser()
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/clients/${client.id}/access`)
    await page.getByLabel('E-mail, handle or ID').fill('nobody@example.org')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.locator('#field-user-error').waitFor()
    await page.getByLabel('E-mail, handle or ID').fill(ada.email)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: `${ada.email} may not use ${name}` }).waitFor()
    await page.getByText('The user is in none of the groups that may use it.').waitFor()
    await addMember(ada.id, staff.id, SYSTEM)
    await page.reload()
    await page.getByRole('heading', { name: `${ada.email} may use ${name}` }).waitFor()
    await page.getByText(`Members of the group ${staff.name} may use it.`).waitFor()
    await page.getByText(`"${ada.email}"`).waitFor()
  })

  test('the page of a user leads to what the user may use', async ({ assert }) => {
    const { name } = await restricted()
    const ada = await createUser()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/users/${ada.id}`)
    await page.getByRole('link', { name: 'See every application' }).click()
    await page.getByRole('row', { name }).getByText('Refused').waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: `Why? ${name}` }).click()
    await page.getByRole('heading', { name: `${ada.email} may not use ${name}` }).waitFor()
    await assertAccessible(page, assert)
  })

  test('users see the applications that they may use', async ({ assert }) => {
    const { client, name, group: staff } = await restricted()
    await updateClient(client.id, { homeUrl: 'https://grafana.example.org/home' }, SYSTEM)
    const [ada, grace] = [await createUser(), await createUser()]
    await addMember(ada.id, staff.id, SYSTEM)
    const { page } = await visitAs(ada, { ...plain, path: '/account/applications' })
    const link = page.getByRole('link', { name })
    assert.equal(await link.getAttribute('href'), 'https://grafana.example.org/home')
    const { page: other } = await visitAs(grace, { ...plain, path: '/account/applications' })
    assert.equal(await other.getByText(name).count(), 0)
  })
})
