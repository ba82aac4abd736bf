import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { addMember } from '#groups/members'
import { groupNamesOf } from '#groups/names_of'
import { exportUsers } from '#users/transfer/export'
import { importUsers, type RefusedRow } from '#users/transfer/import'
import { createUser, someEmail } from '#tests/support/fixtures'

const someName = (start = 'Staff') => `${start} ${randomUUID()}`

async function importRows(rows: object[], { from = 'gatehouse', dryRun = false } = {}) {
  const [refused, told]: RefusedRow[][] = [[], []]
  async function* source() {
    for (const [at, row] of rows.entries()) yield { line: at + 1, row }
  }
  const ignore = () => {}
  const callbacks = { onSkipped: ignore, onProgress: ignore, onRenamed: ignore }
  const summary = await importUsers(source(), {
    ...{ from, dryRun, actor: SYSTEM, ...callbacks },
    onRefused: (row) => refused.push(row),
    onGroup: (row) => told.push(row),
  })
  return { summary, refused, reasons: told.map(({ reason }) => reason), told }
}

async function namesOf(email: string) {
  return groupNamesOf(await User.findByOrFail('email', email))
}

test.group('Groups | export and import', () => {
  test('an export has the names, and an import makes the groups', async ({ assert }) => {
    const email = someEmail()
    const user = await createUser({ email, password: null })
    const name = someName()
    const { id } = await createGroup({ name }, SYSTEM)
    await addMember(user.id, id, SYSTEM)
    const exported: Record<string, unknown>[] = []
    for await (const record of exportUsers({ search: email })) exported.push(record)
    assert.deepEqual(exported[0].groups, [name])
    const moved = { email: someEmail(), groups: [name, `${name} 2`] }
    await importRows([moved])
    assert.deepEqual(await namesOf(moved.email), [name, `${name} 2`])
    const found = await findGroupByName(name)
    assert.equal(found?.memberCount, 2)
  })

  test('a cell has the JSON of a list, or one name: {cell}')
    .with([{ cell: '["%"]' }, { cell: '%' }])
    .run(async ({ assert }, { cell }) => {
      const [email, name] = [someEmail(), someName()]
      await importRows([{ email, groups: cell.replace('%', name) }])
      assert.deepEqual(await namesOf(email), [name])
    })

  test('{$self} refuses the row')
    .with([[7], [null], [{ name: 7 }], '[', 7])
    .run(async ({ assert }, groups) => {
      const email = someEmail()
      const { refused } = await importRows([{ email, groups }])
      assert.containsSubset(refused, [{ email, field: 'groups' }])
      assert.isNull(await User.findBy('email', email))
    })

  test('a name that no group can have is left out with a line', async ({ assert }) => {
    const [email, name] = [someEmail(), someName()]
    const { reasons } = await importRows([{ email, groups: [name, ' ', '__proto__ '] }])
    assert.lengthOf(reasons, 2)
    assert.match(reasons[0], /no group can have this name/)
    assert.deepEqual(await namesOf(email), [name])
  })

  test('more than 100 groups of an account are left out', async ({ assert }) => {
    const email = someEmail()
    const groups = Array.from({ length: 101 }, () => someName())
    const { reasons } = await importRows([{ email, groups }])
    assert.lengthOf(await namesOf(email), 100)
    assert.match(reasons[0], /leaves out 1 groups/)
  })

  test('memberships of a provider stay managed by it', async ({ assert }) => {
    const [email, name] = [someEmail(), `acme:${randomUUID()}`]
    await importRows([{ email, groups: [name] }])
    const user = await User.findByOrFail('email', email)
    const group = await findGroupByName(name)
    const { removeMember } = await import('#groups/members')
    await assert.rejects(() => removeMember(user.id, group!.id, SYSTEM), /manages/)
  })

  test('a dry run makes no group', async ({ assert }) => {
    const name = someName()
    await importRows([{ email: someEmail(), groups: [name] }], { dryRun: true })
    assert.isNull(await findGroupByName(name))
  })
})

test.group('Groups | import from Keycloak', () => {
  const keycloak = { from: 'keycloak' }

  test('groups come by path and realm roles by name, without default ones', async ({ assert }) => {
    const [email, tag] = [someEmail(), randomUUID()]
    const defaults = ['default-roles-acme', 'offline_access', 'uma_authorization']
    const row = {
      email,
      groups: [`/Staff ${tag}/Berlin`],
      realmRoles: [`editor ${tag}`, ...defaults],
      clientRoles: { grafana: ['admin'] },
    }
    const { reasons } = await importRows([row], keycloak)
    assert.deepEqual(await namesOf(email), [`Staff ${tag}/Berlin`, `editor ${tag}`])
    assert.deepEqual(reasons, [])
  })

  test('a group and a role of one name are told once', async ({ assert }) => {
    const name = someName('admins')
    const rows = [someEmail(), someEmail()].map((email) => ({
      email,
      groups: [`/${name}`],
      realmRoles: [name.toUpperCase()],
    }))
    const { told, reasons } = await importRows(rows, keycloak)
    assert.deepEqual(reasons, [
      `joins one group for the group /${name} and the role ${name.toUpperCase()}`,
    ])
    assert.containsSubset(told[0], { line: 1, email: rows[0].email, field: 'groups' })
    assert.lengthOf(await namesOf(rows[1].email), 1)
  })

  test('a group that was here before is told', async ({ assert }) => {
    const [email, name] = [someEmail(), someName()]
    await createGroup({ name }, SYSTEM)
    const { reasons } = await importRows([{ email, realmRoles: [name] }], keycloak)
    assert.deepEqual(reasons, [`joins the group ${name}, which was here before`])
  })

  test('a colon in a name is left out', async ({ assert }) => {
    const email = someEmail()
    const { reasons } = await importRows([{ email, realmRoles: ['acme:staff'] }], keycloak)
    assert.match(reasons[0], /^leaves out the role acme:staff: names with a colon/)
    assert.deepEqual(await namesOf(email), [])
  })
})
