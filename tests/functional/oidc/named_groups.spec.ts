import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { CLIENT_QUEUE } from '#config/queue'
import { SYSTEM } from '#audit/actor'
import { BATCH_SIZE } from '#database/batches'
import { createGroup, deleteGroup, deleteGroupWithin } from '#groups/groups'
import { addMember } from '#groups/members'
import { namedGroups } from '#oidc/clients/access/named_groups'
import { lockForSession } from '#oidc/clients/client_rows'
import { createClient, updateClient } from '#oidc/clients/clients'
import { CHUNK_SIZE, deletedAmong } from '#oidc/clients/lost_access/forget_deleted_groups'
import { CLIENTS } from '#oidc/clients/lost_access/forget_group'
import { pruneExpired } from '#maintenance/prune_expired'
import { mayAccessClient } from '#oidc/tokens/client_access'
import { createUser } from '#tests/support/fixtures'
import { drain } from '#tests/support/mail'
import { statementsOf } from '#tests/support/statements'
import type { Group } from '#groups/group'
import type { Transaction } from '#database/transaction'
import type { TestContext } from '@japa/runner/core'

/* An API key determines the number and the size of the clients, each of which may name groups. */

const WIKI = { name: 'Wiki', redirectUris: ['https://wiki.example.org/cb'] }

const someGroup = () => createGroup({ name: `Staff ${randomUUID()}` }, SYSTEM)

type Asked = Pick<Group, 'id' | 'name'>

const ask = (group: Asked) => db.transaction((trx) => isNamed(group, trx))

/** Looks only at allowed groups, because clients of other tests claim every group. */
async function isNamed(group: Asked, trx: Transaction) {
  const { allowedIds } = await namedGroups(trx)
  return allowedIds.has(group.id)
}

/** Makes `count` clients like one, which are deleted with the test. */
async function someClients(
  count: number,
  columns: object,
  cleanup: TestContext['cleanup']
): Promise<string[]> {
  const { client } = await createClient(WIKI, SYSTEM)
  const row = await db.from('oauth_clients').where('id', client.id).firstOrFail()
  await db.from('oauth_clients').where('id', client.id).delete()
  const rows = Array.from({ length: count }, () => {
    const id = uuidv7()
    return { ...row, id, client_id: id.replaceAll('-', ''), ...columns }
  })
  cleanup(async () => {
    for (const { id } of rows) await db.from('oauth_clients').where('id', id).delete()
  })
  for (let at = 0; at < count; at += 50)
    await db.table('oauth_clients').multiInsert(rows.slice(at, at + 50))
  return rows.map(({ id }) => id)
}

async function readsOf(act: () => Promise<unknown>) {
  const statements = await statementsOf(act)
  return statements.filter((sql) => /from .oauth_clients/i.test(sql))
}

test.group('Groups that clients name | memory', () => {
  test('the next question reads no client', async ({ assert }) => {
    const group = await someGroup()
    await ask(group)
    assert.isEmpty(await readsOf(() => ask(group)))
  })

  test('a change of a client is seen by the next question', async ({ assert }) => {
    const [group, { client }] = [await someGroup(), await createClient(WIKI, SYSTEM)]
    const askAfter = async (allowedGroups: string[]) => {
      await updateClient(client.id, { allowedGroups }, SYSTEM)
      return ask(group)
    }
    const answers = [await ask(group), await askAfter([group.name]), await askAfter([])]
    assert.deepEqual(answers, [false, true, false])
  })

  test('a transaction sees its own change, and no other does', async ({ assert }) => {
    const [group, { client }] = [await someGroup(), await createClient(WIKI, SYSTEM)]
    const before = await ask(group)
    const trx = await db.transaction()
    const columns = { allowed_groups: JSON.stringify([group.id]) }
    await trx.from('oauth_clients').where('id', client.id).update(columns)
    const within = await isNamed(group, trx)
    await trx.rollback()
    assert.deepEqual([before, within, await ask(group)], [false, true, false])
  })

  test('a prefix that no name can have is forgotten', async ({ assert }) => {
    const [fits, long] = [128, 129].map((length) => randomUUID().padEnd(length, 'x'))
    const claims = { fits: `groups:${fits}`, long: `groups:${long}` }
    await createClient({ ...WIKI, kind: 'first_party', claims }, SYSTEM)
    const { prefixes } = await db.transaction((trx) => namedGroups(trx))
    assert.deepEqual([prefixes.has(fits), prefixes.has(long)], [true, false])
  })

  test('clients are read in batches', async ({ assert, cleanup }) => {
    const claims = JSON.stringify({ team: 'groups:Team' })
    await someClients(BATCH_SIZE + 1, { claims }, cleanup)
    const [{ total }] = await db
      .from('oauth_clients')
      .whereLike('claims', '%"groups%')
      .count('* as total')
    const reads = await readsOf(() => db.transaction((trx) => namedGroups(trx)))
    const ofClaims = reads.filter((sql) => sql.includes('claims LIKE'))
    assert.lengthOf(ofClaims, Math.floor(Number(total) / BATCH_SIZE) + 1)
  })

  test('{what} reads an index alone')
    .with([
      { what: 'who allows a group', index: 'oauth_clients_allowed', sign: 'allowed_groups' },
      { what: 'who claims groups', index: 'oauth_clients_claims', sign: 'claims LIKE' },
    ])
    .skip(() => db.connection().dialect.name === 'postgres', 'Postgres keeps long values apart')
    .run(async ({ assert }, { index, sign }) => {
      await createClient(WIKI, SYSTEM)
      const reads = await readsOf(() => db.transaction((trx) => namedGroups(trx)))
      const sql = reads.find((each) => each.includes(sign))!
      const [{ detail }] = await db.rawQuery(`EXPLAIN QUERY PLAN ${sql}`, [1])
      assert.include(detail, `COVERING INDEX ${index}`)
    })
})

test.group('Groups that clients name | deletion', () => {
  test('writes some clients at once, and the others in batches', async ({ assert, cleanup }) => {
    const group = await someGroup()
    const rule = { access: 'groups', allowed_groups: JSON.stringify([group.id]) }
    await someClients(2 * CLIENTS + 1, rule, cleanup)
    const left = async () => {
      const rows = await db.from('oauth_clients').whereLike('allowed_groups', `%${group.id}%`)
      return rows.length
    }
    await deleteGroup(group.id, SYSTEM)
    const before = await left()
    await drain(CLIENT_QUEUE)
    assert.deepEqual([before, await left()], [CLIENTS + 1, 0])
  })

  test('ends no access to unused clients', async ({ assert, cleanup }) => {
    const group = await someGroup()
    const rule = { access: 'groups', allowed_groups: JSON.stringify([group.id]) }
    await someClients(3, rule, cleanup)
    await drain(CLIENT_QUEUE)
    await deleteGroup(group.id, SYSTEM)
    const queued = await db.from('queue_jobs').where('queue', CLIENT_QUEUE)
    assert.isEmpty(queued.filter(({ data }) => JSON.stringify(data).includes('EndAccess')))
    await drain(CLIENT_QUEUE)
  })

  test('a client that waits lets in none of its users', async ({ assert, cleanup }) => {
    const [group, user] = [await someGroup(), await createUser({ password: null })]
    await addMember(user.id, group.id, SYSTEM)
    await user.refresh()
    const rule = { access: 'groups', allowed_groups: JSON.stringify([group.id]) }
    const ids = await someClients(CLIENTS + 1, rule, cleanup)
    const { client_id: clientId } = await db
      .from('oauth_clients')
      .where('id', ids.toSorted().at(-1)!)
      .firstOrFail()
    const isOpen = async () => {
      const locked = await db.transaction((trx) => lockForSession(clientId, trx))
      return [await mayAccessClient(clientId, user), locked!.allowedGroupIds.length === 1]
    }
    const before = await isOpen()
    // The state that a process leaves if it is killed after the commit.
    await db.transaction((trx) => deleteGroupWithin({ id: group.id, actor: SYSTEM }, trx))
    const waiting = await db.from('oauth_clients').where('client_id', clientId).firstOrFail()
    assert.include(waiting.allowed_groups, group.id)
    assert.deepEqual(
      [before, await isOpen()],
      [
        [true, true],
        [false, false],
      ]
    )
    await drain(CLIENT_QUEUE)
  })

  test('the pruning forgets what no job knows, as after a restore', async ({ assert }) => {
    const [kept, gone] = [await someGroup(), await someGroup()]
    const rule = { access: 'groups' as const, allowedGroups: [kept.name, gone.name] }
    const { client } = await createClient({ ...WIKI, ...rule }, SYSTEM)
    await db.from('groups').where('id', gone.id).delete()
    await pruneExpired()
    const row = await db.from('oauth_clients').where('id', client.id).firstOrFail()
    assert.deepEqual(JSON.parse(row.allowed_groups), [kept.id])
    await drain(CLIENT_QUEUE)
  })

  test('of more ids than one statement takes each is looked up', async ({ assert }) => {
    const gone = Array.from({ length: CHUNK_SIZE }, () => randomUUID())
    const { id } = await someGroup()
    assert.deepEqual(await deletedAmong([...gone, id, gone[0]]), [...gone, gone[0]])
  })

  test('a change of a waiting client leaves the job its work', async ({ assert }) => {
    const group = await someGroup()
    const rule = { access: 'groups' as const, allowedGroups: [group.name] }
    const { client } = await createClient({ ...WIKI, ...rule }, SYSTEM)
    await db.from('groups').where('id', group.id).delete()
    await updateClient(client.id, { name: 'Handbook', allowedGroups: [] }, SYSTEM)
    const row = await db.from('oauth_clients').where('id', client.id).firstOrFail()
    assert.deepEqual(JSON.parse(row.allowed_groups), [group.id])
  })
})
