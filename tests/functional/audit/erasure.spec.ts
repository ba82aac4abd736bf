import { existsSync, readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import settings from '#config/audit'
import { sqliteFile } from '#config/database'
import { SYSTEM, userActor } from '#audit/actor'
import { finishErasures } from '#audit/privacy/erasure'
import { maintainTrail } from '#audit/maintenance'
import { sealPending, stopSealing } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { verifyTrail } from '#audit/chain/verification'
import { record } from '#events/record'
import { createGroup } from '#groups/groups'
import { changeRole } from '#users/change_role'
import { deleteUser } from '#users/delete_user'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import type User from '#models/user'
import { endedOrBlocked } from '#tests/support/held_transaction'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const isSqlite = () => db.connection().dialect.name !== 'postgres'

/** Makes a person whose traces all differ from the traces of other people. */
function somebody() {
  const mark = uuidv7().slice(-12)
  const group = (from: number) => Number.parseInt(mark.slice(from, from + 4), 16).toString(16)
  return {
    email: `${mark}@somebody.example.org`,
    username: `⌘⌥⇧ ${mark} Ada`,
    userAgent: `Agent of ${mark}`,
    address: `2001:db8:${group(0)}:${group(4)}:${group(8)}::7`,
    network: `2001:db8:${group(0)}:${group(4)}`,
  }
}

type Person = ReturnType<typeof somebody>

/** Registers a person, and leaves traces of them wherever the product keeps any. */
async function leaveTraces(client: ApiClient, person: Person) {
  const { email, username, userAgent, address } = person
  const from = { 'x-forwarded-for': address, 'user-agent': userAgent }
  const body = { email, username, password: PASSWORD }
  const registered = await client.post('/auth/register').headers(from).json(body)
  registered.assertStatus(201)
  const { id } = registered.body()
  await login(client, { email, password: 'Wrong-h0rse!', address, userAgent })
  const session = await login(client, { email, address, userAgent, deviceId: uuidv7() })
  const authorization = `Bearer ${session.body().accessToken}`
  const own = { ...from, authorization }
  await client
    .put('/auth/profile')
    .headers(own)
    .json({ nickname: `Nick ${username}` })
  await client.get('/users').headers(own)
  await client.post('/auth/forgot-password').headers(from).json({ email })
  return { id: id as string, own }
}

/** Returns the tables that contain one of the needles in any row. */
async function tablesWith(needles: string[]) {
  const client = db.connection()
  const tables = await client.getAllTables(isSqlite() ? undefined : ['public'])
  const found: string[] = []
  for (const table of tables.filter((name) => !name.startsWith('user_names_'))) {
    const rows = JSON.stringify(await db.from(table.replace(/^public\./, '')).select('*'))
    found.push(...needles.filter((each) => rows.includes(each)).map((each) => `${table}: ${each}`))
  }
  return found
}

function filesWith(needles: string[]) {
  const files = [sqliteFile, `${sqliteFile}-wal`].filter((file) => existsSync(file))
  return files.flatMap((file) => {
    const bytes = readFileSync(file)
    return needles.filter((each) => bytes.includes(each)).map((each) => `${file}: ${each}`)
  })
}

test.group('Erasure | a deleted user', () => {
  test('leaves no trace in any row', async ({ client, assert }) => {
    const person = somebody()
    const { own, id } = await leaveTraces(client, person)
    const { network, ...traces } = person
    assert.isNotEmpty(await tablesWith(Object.values(traces)))
    const needles = Object.values(person)
    assert.notInclude(JSON.stringify(await db.from('rate_limits')), network)
    const body = { currentPassword: PASSWORD }
    const response = await client.delete('/auth/account').headers(own).json(body)
    response.assertStatus(200)
    assert.deepEqual(await tablesWith(needles), [])
    assert.lengthOf(await db.from('audit_keys').where('user_id', id), 0)
    assert.lengthOf(await db.from('audit_erasures'), 0)
  })

  test('leaves no byte in the files of SQLite', async ({ client, assert }) => {
    const person = somebody()
    const { id } = await leaveTraces(client, person)
    const needles = [person.email, person.username, person.userAgent, person.address, '⌥⇧']
    assert.isNotEmpty(filesWith(needles))
    await deleteUser(id, SYSTEM)
    assert.deepEqual(filesWith(needles), [])
  }).skip(() => !isSqlite(), 'Postgres overwrites what was deleted when it vacuums')

  test('the events that remain verify and name no person', async ({ client, assert }) => {
    const person = somebody()
    const { id } = await leaveTraces(client, person)
    const before = await recordsWhere({ target_id: id })
    await deleteUser(id, SYSTEM)
    const after = await recordsWhere({ target_id: id })
    assert.equal(after.length, before.length + 1)
    assert.isTrue(before.every(({ ip }) => ip === person.address))
    assert.isTrue(after.every(({ ip, userAgent }) => ip === null && userAgent === null))
    assert.notInclude(JSON.stringify(after), person.email)
    await sealPending()
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })

  test('is no longer found by their address', async ({ client, assert }) => {
    const person = somebody()
    const { id } = await leaveTraces(client, person)
    const { headers } = await signedIn(client, await createAdmin())
    const found = () => client.get('/audit-events').qs({ ip: person.address }).headers(headers)
    const before = await found()
    assert.isAbove(before.body().meta.total, 3)
    await deleteUser(id, SYSTEM)
    const after = await found()
    assert.equal(after.body().meta.total, 0)
  })

  test('takes no trace of an administrator along', async ({ assert }) => {
    const [admin, user] = [await createAdmin(), await createUser()]
    const actor = userActor(admin.id, { ip: '198.51.100.8', userAgent: 'the browser of Grace' })
    const details = { username: { before: 'Ada', after: 'Lovelace' } }
    const entry = { action: 'account.updated' as const, actor, targetId: user.id, details }
    await db.transaction((trx) => recordAudit(entry, trx))
    const [before] = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    assert.deepEqual(before.details, details)
    await deleteUser(user.id, actor)
    const [after] = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    assert.deepEqual(after.details, {})
    assert.equal(after.ip, actor.ip)
  })

  test('empties events that were under way', async ({ assert }) => {
    const user = await createUser()
    const actor = userActor(user.id, { ip: '198.51.100.9', userAgent: null })
    const entry = { action: 'account.updated' as const, actor, targetId: user.id }
    await db.transaction((earlier) => recordAudit(entry, earlier))
    const trx = await db.transaction()
    await recordAudit(entry, trx)
    const deletion = deleteUser(user.id, SYSTEM)
    await endedOrBlocked(deletion)
    await trx.commit()
    await deletion
    const events = await db.from('audit_events').where('target_id', user.id)
    assert.deepEqual([...new Set(events.map((event) => event.ip_hash))], [null])
  })

  test('gets no new key by a later event', async ({ assert }) => {
    const user = await createUser()
    await deleteUser(user.id, SYSTEM)
    const details = { email: user.email }
    const entry = { action: 'session.ended' as const, actor: SYSTEM, targetId: user.id, details }
    await db.transaction((trx) => recordAudit(entry, trx))
    assert.lengthOf(await db.from('audit_keys').where('user_id', user.id), 0)
    const events = await recordsWhere({ target_id: user.id })
    assert.notInclude(JSON.stringify(events), user.email)
  })

  test('imported again, gets readable events in every process', async ({ assert }) => {
    const [user, admin] = [await createUser(), await createAdmin()]
    const row = await db.from('users').where('id', user.id).firstOrFail()
    const details = { username: { before: 'Ada', after: 'Lovelace' } }
    const change = ({ id }: User, ip: string) => {
      const actor = userActor(id, { ip, userAgent: null })
      const entry = { action: 'account.updated', actor, targetId: user.id, details }
      return db.transaction((trx) => recordAudit(entry, trx))
    }
    await change(user, '198.51.100.10')
    // This process is not told of what another process deletes.
    await db.transaction(async (trx) => {
      await trx.from('users').where('id', user.id).delete()
      await recordAudit({ action: 'account.deleted', actor: SYSTEM, targetId: user.id }, trx)
    })
    await change(admin, '198.51.100.11')
    await db.table('users').insert(row)
    await change(user, '198.51.100.12')
    const events = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    const seen = events.map(({ ip, details: found }) => [ip, found])
    assert.deepEqual(seen, [
      [null, {}],
      ['198.51.100.11', {}],
      ['198.51.100.12', details],
    ])
  })

  test('the rest of an erasure that failed is finished later', async ({ client, assert }) => {
    const person = somebody()
    const { id } = await leaveTraces(client, person)
    await db.transaction(async (trx) => {
      await trx.from('users').where('id', id).delete()
      await recordAudit({ action: 'account.deleted', actor: SYSTEM, targetId: id }, trx)
    })
    const withHash = () =>
      db.from('audit_events').where('target_id', id).whereNotNull('ip_hash').first()
    assert.isNotNull(await withHash())
    await Promise.all([finishErasures(), finishErasures()])
    assert.isNull(await withHash())
  })
})

test.group('Erasure | guesses', () => {
  test('the trail finds guesses by an unknown e-mail address', async ({ client, assert }) => {
    const email = someEmail()
    await login(client, { email, password: 'Wrong-h0rse!' })
    const { listAuditEvents } = await import('#audit/trail/query')
    const { events } = await listAuditEvents({ email }, { page: 1, limit: 10 })
    assert.containsSubset(events, [{ action: 'login.failed', details: { email } }])
  })

  test('guesses are forgotten two months after their month', async ({ client, assert }) => {
    const email = someEmail()
    timeTravel(new Date(Date.UTC(2031, 0, 31)))
    await login(client, { email, password: 'Wrong-h0rse!' })
    const events = () => recordsWhere({ action: 'login.failed', target_id: null })
    const tells = async () => JSON.stringify(await events()).includes(email)
    assert.isTrue(await tells())
    await maintainTrail(Date.UTC(2031, 2, 31, 23))
    assert.isTrue(await tells())
    await maintainTrail(Date.UTC(2031, 3, 1))
    assert.isFalse(await tells())
    const hashed = db.from('audit_events').where('occurred_at', '>', Date.UTC(2031, 0, 1))
    assert.isNull(await hashed.whereNotNull('email_hash').first())
  })

  test('what a command configures stays readable', async ({ assert }) => {
    timeTravel(new Date(Date.UTC(2031, 0, 31)))
    const operator = { ...SYSTEM, name: `cli:${randomUUID()}` }
    const group = `g${randomUUID()}`
    const { id } = await createGroup({ name: group }, operator)
    const changed = { before: null, after: 'Office' }
    await db.transaction((trx) => {
      const event = { type: 'settings.changed', user: null, actor: operator } as const
      const context = { recipients: [], names: [], via: null }
      return record(trx, { ...event, details: { BRAND_NAME: changed }, context })
    })
    await maintainTrail(Date.UTC(2031, 3, 1))
    const events = await recordsWhere({ actor: operator.name })
    assert.containsSubset(events, [{ details: { BRAND_NAME: changed } }])
    assert.containsSubset(events, [{ details: { groupId: id, group } }])
  })

  test('what an administrator configures outlives their account', async ({ assert }) => {
    const [, { id }] = [await createAdmin(), await createAdmin()]
    const actor = userActor(id, { ip: '198.51.100.13', userAgent: 'Firefox' })
    const changed = { before: null, after: 'https://thief.example' }
    await db.transaction((trx) => {
      const context = { recipients: [], names: [], via: null }
      const event = { type: 'settings.changed', user: null, actor, context } as const
      return record(trx, { ...event, details: { OIDC_CORP_ISSUER: changed } })
    })
    await deleteUser(id, SYSTEM)
    const [event] = await recordsWhere({ actor_id: id, action: 'settings.changed' })
    assert.deepEqual(event.details, { OIDC_CORP_ISSUER: changed })
    assert.deepEqual([event.ip, event.userAgent], [null, null])
  })

  test('the roles of a deleted user stay readable', async ({ assert }) => {
    await createAdmin()
    const { id } = await createUser()
    await changeRole(id, 'Admin', SYSTEM)
    await deleteUser(id, SYSTEM)
    const [event] = await recordsWhere({ target_id: id, action: 'role.changed' })
    assert.deepEqual(event.details, { role: { before: 'User', after: 'Admin' } })
  })

  test('cost the same statements as known addresses', async ({ client, assert, cleanup }) => {
    const { sealDelayMs } = settings
    settings.sealDelayMs = 3_600_000
    await stopSealing()
    cleanup(async () => {
      settings.sealDelayMs = sealDelayMs
      await stopSealing()
    })
    const user = await createUser()
    await login(client, { email: user.email })
    await login(client, { email: someEmail(), password: 'Wrong-h0rse!' })
    const statementsOf = async (email: string) => {
      const statements: string[] = []
      const note = (query: { sql: string }) => statements.push(query.sql.split(' ')[0])
      const { client: knex } = db.connection().getReadClient() as any
      knex.on('query', note)
      await login(client, { email, password: 'Wrong-h0rse!' })
      knex.off('query', note)
      return statements
    }
    const known = await statementsOf(user.email)
    assert.isNotEmpty(known)
    assert.deepEqual(await statementsOf(someEmail()), known)
  })
})
