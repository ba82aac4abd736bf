import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import { deleteUser } from '#users/delete_user'
import { exportUsers } from '#users/transfer/export'
import { importUsers, type RefusedRow } from '#users/transfer/import'
import { createUser, someEmail } from '#tests/support/fixtures'

const someHandle = () => `i${randomUUID().slice(0, 8)}`

async function importRows(rows: object[], { from = 'gatehouse', dryRun = false } = {}) {
  const [refused, renamed]: RefusedRow[][] = [[], []]
  async function* source() {
    for (const [at, row] of rows.entries()) yield { line: at + 1, row }
  }
  const summary = await importUsers(source(), {
    ...{ from, dryRun, actor: SYSTEM, onSkipped: () => {}, onProgress: () => {} },
    onRefused: (row) => refused.push(row),
    onRenamed: (row) => renamed.push(row),
  })
  return { summary, refused, renamed }
}

async function handlesOf(rows: { email: string }[]) {
  const users = await Promise.all(rows.map(({ email }) => User.findByOrFail('email', email)))
  return users.map(({ handle }) => handle)
}

test.group('Handles | import', () => {
  test('a handle of the file stays, a taken one gets a number and a line', async ({ assert }) => {
    const handle = someHandle()
    const { handle: taken } = await createUser()
    const rows = [
      { email: someEmail(), handle },
      { email: someEmail(), handle },
      { email: someEmail(), handle: taken },
    ]
    const { summary, renamed } = await importRows(rows)
    const [first, second, third] = await handlesOf(rows)
    assert.deepEqual([first, second], [handle, `${handle}-2`])
    assert.match(third, new RegExp(`^${taken}-\\d+$`))
    assert.deepEqual([summary.imported, summary.renamed], [3, 2])
    assert.containsSubset(renamed, [
      { line: 2, email: rows[1].email, field: 'handle' },
      { line: 3, reason: `gets the handle ${third}: ${taken} is taken or reserved` },
    ])
  })

  test('the username of Keycloak is the handle: {username}')
    .with([
      { username: '?', handle: '?' },
      { username: '?@example.org', handle: '?-example.org' },
      { username: '? Lovelace', handle: '?-lovelace' },
    ])
    .run(async ({ assert }, row) => {
      const tag = someHandle()
      const given = { email: someEmail(), username: row.username.replace('?', tag) }
      await importRows([given], { from: 'keycloak' })
      assert.deepEqual(await handlesOf([given]), [row.handle.replace('?', tag)])
    })

  test('a handle that has another form is refused: {handle}')
    .with(['Ada', 'a b', '-', 7, 'a'.repeat(64)].map((handle) => ({ handle })))
    .run(async ({ assert }, { handle }) => {
      const { summary, refused } = await importRows([{ email: someEmail(), handle }])
      assert.equal(summary.refused, 1)
      assert.containsSubset(refused, [{ line: 1, field: 'handle' }])
    })

  test('a user of the file gets no name of a role by the username', async ({ assert }) => {
    const rows = [{ email: someEmail(), username: 'Admin' }]
    const { renamed } = await importRows(rows)
    const [handle] = await handlesOf(rows)
    assert.match(handle, /^admin-\d+$/)
    assert.lengthOf(renamed, 1)
  })

  test('an import that is repeated takes no second handle', async ({ assert }) => {
    const rows = [{ email: someEmail(), handle: someHandle() }]
    await importRows(rows, { dryRun: true })
    await importRows(rows)
    const { summary, renamed } = await importRows(rows)
    assert.deepEqual(await handlesOf(rows), [rows[0].handle])
    assert.deepEqual([summary.skipped, summary.renamed, renamed.length], [1, 0, 0])
    const next = await createUser({ username: rows[0].handle })
    assert.equal(next.handle, `${rows[0].handle}-2`)
  })

  test('a row that is skipped leaves its handle free', async ({ assert }) => {
    const handle = someHandle()
    const { email } = await createUser()
    await importRows([{ email, handle }])
    const next = await createUser({ username: handle })
    assert.equal(next.handle, handle)
  })

  test('a deleted user who is imported again gets a number', async ({ assert }) => {
    const user = await createUser({ username: someHandle() })
    const rows = await Array.fromAsync(exportUsers({ search: user.email }))
    await deleteUser(user.id, SYSTEM)
    const { summary } = await importRows(rows)
    const { handle } = await User.findOrFail(user.id)
    assert.deepEqual([handle, summary.renamed], [`${user.handle}-2`, 1])
  })
})
