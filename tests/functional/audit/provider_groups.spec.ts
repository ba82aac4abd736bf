import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM, userActor } from '#audit/actor'
import { sealPending } from '#audit/chain/sealer'
import { verifyTrail } from '#audit/chain/verification'
import { maintainTrail } from '#audit/maintenance'
import { recordAudit } from '#audit/record_audit'
import { findGroupByName, insertMissingGroups } from '#groups/group_rows'
import { updateGroup } from '#groups/groups'
import { updateClient } from '#oidc/clients/clients'
import { deleteUser } from '#users/delete_user'
import { createAdmin } from '#tests/support/fixtures'
import { application } from '#tests/support/oidc'
import { recordsWhere } from '#tests/support/trail'
import { toldOf } from '#tests/support/webhooks'

/* In the configuration, only the names of provider groups are personal data. */

const DAY_MS = 86_400_000

async function someGroups() {
  const names = [`acme:${randomUUID()}`, `Staff ${randomUUID()}`]
  await db.transaction((trx) => insertMissingGroups(names, trx))
  return names
}

async function someAdmin() {
  const { id } = await createAdmin()
  const actor = userActor(id, { ip: '203.0.113.9', userAgent: null })
  return { id, actor: { ...actor, hasRecentAuthentication: true } }
}

async function eventOf(action: string, text: string) {
  const rows = db.from('audit_events').where({ action }).whereLike('details', `%${text}%`)
  const row = await rows.orderBy('id', 'desc').firstOrFail()
  const [{ details }] = await recordsWhere({ id: row.id })
  return { row, details }
}

const redirectUris = ['https://elsewhere.example/cb']

/** Changes the allowed groups of a client to provider groups, and its redirect address. */
async function changedClient(actor = SYSTEM) {
  const { client } = await application({ name: 'Grafana' })
  const allowedGroups = await someGroups()
  await updateClient(client.id, { allowedGroups, redirectUris }, actor)
  return { client, allowedGroups, find: () => eventOf('client.updated', client.clientId) }
}

test.group('Audit log | groups of providers', () => {
  test('a changed application has their names encrypted', async ({ assert }) => {
    const { actor } = await someAdmin()
    const { allowedGroups, find } = await changedClient(actor)
    const { row, details } = await find()
    assert.deepEqual(details.allowedGroups, { before: [], after: allowedGroups })
    assert.notInclude(row.details, allowedGroups[0])
    assert.deepEqual(JSON.parse(row.details).allowedGroups.after, ['acme:…', allowedGroups[1]])
  })

  test('all else outlives the account of the administrator', async ({ assert }) => {
    const { id, actor } = await someAdmin()
    const { client, allowedGroups, find } = await changedClient(actor)
    await createAdmin()
    await deleteUser(id, SYSTEM)
    const { details } = await find()
    const { clientId, redirectUris: before } = client
    assert.deepEqual(details, {
      clientId,
      name: 'Grafana',
      kind: client.kind,
      redirectUris: { before, after: redirectUris },
      allowedGroups: { before: [], after: ['acme:…', allowedGroups[1]] },
    })
    await sealPending()
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })

  test('all else outlives the month of a file or command', async ({ assert }) => {
    const { allowedGroups, find } = await changedClient()
    await maintainTrail(Date.now() + 100 * DAY_MS)
    const { details } = await find()
    assert.containsSubset(details, { name: 'Grafana', redirectUris: { after: redirectUris } })
    assert.notInclude(JSON.stringify(details), allowedGroups[0])
  })

  test('a changed group keeps its other fields', async ({ assert }) => {
    const { id, actor } = await someAdmin()
    const [name] = await someGroups()
    const group = await findGroupByName(name)
    await updateGroup(group!.id, { title: 'Staff' }, actor)
    const before = await eventOf('group.updated', group!.id)
    assert.equal(before.details.group, name)
    await createAdmin()
    await deleteUser(id, SYSTEM)
    const { row, details } = await eventOf('group.updated', group!.id)
    assert.deepEqual(details, { groupId: group!.id, title: { before: null, after: 'Staff' } })
    await db.from('groups').where('id', group!.id).delete()
    const told = await toldOf(row)
    assert.deepEqual(told!.data.group, { id: group!.id, name: null })
  })

  test('an event of an older version is read whole', async ({ assert }) => {
    const { id, actor } = await someAdmin()
    const clientId = `app-${randomUUID()}`
    const details = { clientId, name: 'Grafana', allowedGroups: { before: [], after: ['acme:x'] } }
    /** An event about a user is split in the format of the older version. */
    const entry = { action: 'client.updated', actor, targetId: id, details }
    await db.transaction((trx) => recordAudit(entry, trx))
    const { row, details: read } = await eventOf('client.updated', clientId)
    assert.deepEqual(JSON.parse(row.details), { clientId })
    assert.deepEqual(read, details)
  })
})
