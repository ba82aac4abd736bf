import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { version } from '#config/app'
import { ProcessesCheck } from '#health/checks/processes_check'
import {
  describeSettings,
  liveProcesses,
  registerProcess,
  unregisterProcess,
} from '#processes/live_processes'
import { insertProcess, touchProcess } from '#processes/process_rows'

async function someProcess(given: { version?: string } = {}) {
  const id = randomUUID()
  const row = {
    id,
    version,
    host: 'one.example',
    role: 'server',
    settings: null,
    ...given,
  } as const
  await db.transaction((trx) => insertProcess(trx, row))
  return id
}

function silentFor(id: string, ms: number) {
  return db.from('processes').where({ id }).decrement('seen_at', ms)
}

async function empty() {
  await db.from('processes').delete()
}

async function idsOfLive() {
  const processes = await liveProcesses()
  return processes.map(({ id }) => id)
}

test.group('Live processes', (group) => {
  group.each.setup(empty)
  group.each.teardown(empty)

  test('a process counts from its registration to its clean stop', async ({ assert }) => {
    await registerProcess()
    const [{ host, role, startedAt, seenAt, ...own }] = await liveProcesses()
    assert.equal(own.version, version)
    assert.equal(role, 'server')
    assert.isNotEmpty(host)
    assert.isAtLeast(seenAt.getTime(), startedAt.getTime())
    assert.closeTo(seenAt.getTime(), Date.now(), 5_000)
    await unregisterProcess()
    assert.isEmpty(await liveProcesses())
  })

  test('a process silent for {$self} ms still counts')
    .with([0, 25_000])
    .run(async ({ assert }, ms) => {
      const id = await someProcess()
      await silentFor(id, ms)
      assert.deepEqual(await idsOfLive(), [id])
    })

  test('a process silent for 30 seconds has ended', async ({ assert }) => {
    const id = await someProcess()
    await silentFor(id, 30_000)
    assert.isEmpty(await liveProcesses())
  })

  test('a process that writes again counts again', async ({ assert }) => {
    const id = await someProcess()
    await silentFor(id, 60_000)
    assert.isTrue(await touchProcess(db.connection(), { id, settings: null }))
    assert.deepEqual(await idsOfLive(), [id])
  })

  test('a row that is gone is not touched', async ({ assert }) => {
    assert.isFalse(await touchProcess(db.connection(), { id: randomUUID(), settings: null }))
  })

  test('rows of a day ago are removed by the next process', async ({ assert }) => {
    const [old, recent] = [await someProcess(), await someProcess()]
    await silentFor(old, 86_401_000)
    await silentFor(recent, 86_000_000)
    const next = await someProcess()
    const rows = await db.from('processes').select('id')
    assert.sameMembers(
      rows.map(({ id }) => id),
      [recent, next]
    )
  })

  test('a row tells a digest of the settings', async ({ assert }) => {
    describeSettings(() => ({ SIGN_UP: 'a1b2' }))
    await registerProcess()
    const [{ settings }] = await liveProcesses()
    await unregisterProcess()
    describeSettings(() => ({}))
    assert.deepEqual(settings, { SIGN_UP: 'a1b2' })
  })
})

test.group('Live processes | doctor', (group) => {
  group.each.setup(empty)
  group.each.teardown(empty)

  test('counts the servers of one version', async ({ assert }) => {
    await someProcess()
    await someProcess()
    const { status, message } = await new ProcessesCheck().run()
    assert.deepEqual([status, message], ['ok', `2 of ${version}`])
  })

  test('names a mix of versions', async ({ assert }) => {
    await someProcess({ version: '0.1.9' })
    await someProcess()
    const { status, message } = await new ProcessesCheck().run()
    assert.equal(status, 'warning')
    assert.equal(message, `1 of 0.1.9, 1 of ${version}; this is ${version}`)
  })

  test('says that no server runs', async ({ assert }) => {
    const { status, message } = await new ProcessesCheck().run()
    assert.deepEqual([status, message], ['ok', 'no server runs'])
  })
})
