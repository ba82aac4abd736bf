import { test } from '@japa/runner'
import {
  asOneRequest,
  ensureConfiguration,
  noteConfiguration,
  VersionedCache,
  underOneConfiguration,
} from '#database/configuration_version'

/* Simulates a database of one value. Each change gives it a new version. */
function versioned() {
  const state = { version: crypto.randomUUID(), value: 'old' }
  const read = () => noteConfiguration(state.version)
  const change = (value: string) => Object.assign(state, { value, version: crypto.randomUUID() })
  const memory = new VersionedCache<string>({ max: 2 })
  const find = () => memory.find('key', async () => state.value)
  return { state, read, change, memory, find }
}

function counted() {
  const { read } = versioned()
  let reads = 0
  const count = () => {
    reads++
    read()
  }
  return { count, reads: () => reads }
}

/** Simulates a process that remembers a value which another process has changed since. */
async function outdated() {
  const database = versioned()
  database.read()
  await database.find()
  database.change('new')
  return database
}

test.group('Configuration version', () => {
  test('memory answers until the version is another one', async ({ assert }) => {
    const { read, change, find } = versioned()
    read()
    const seen = [await find()]
    change('new')
    seen.push(await find())
    read()
    seen.push(await find())
    assert.deepEqual(seen, ['old', 'old', 'new'])
  })

  test('work that rests on an earlier version is repeated', async ({ assert }) => {
    const { read, find } = await outdated()
    const work = async () => {
      const value = await find()
      read()
      return value
    }
    assert.equal(await underOneConfiguration(read, work), 'new')
  })

  test('a refusal that rests on an earlier version is repeated', async ({ assert }) => {
    const { read, find } = await outdated()
    const work = async () => {
      if ((await find()) === 'old') throw new Error('refused')
      return 'passed'
    }
    assert.equal(await underOneConfiguration(read, work), 'passed')
  })

  test('a refusal under the current version stays', async ({ assert }) => {
    const { read } = versioned()
    const refuse = () => Promise.reject(new Error('refused'))
    await assert.rejects(() => underOneConfiguration(read, refuse), 'refused')
  })

  test('what is unknown is asked for each time', async ({ assert }) => {
    const { read, memory } = versioned()
    read()
    assert.isNull(await memory.find('unknown', async () => null))
    assert.equal(await memory.find('unknown', async () => 'registered'), 'registered')
  })

  test('a value that was read during a change is not kept', async ({ assert }) => {
    const { read, change, memory, find } = versioned()
    read()
    const late = Promise.withResolvers<string>()
    const first = memory.find('key', () => late.promise)
    change('new')
    read()
    late.resolve('old')
    assert.equal(await first, 'old')
    assert.equal(await find(), 'new')
  })

  test('an answer that brings back an earlier version keeps nothing of it', async ({ assert }) => {
    const { state, read, change, memory, find } = versioned()
    read()
    const earlier = state.version
    const late = Promise.withResolvers<string>()
    const first = memory.find('key', () => late.promise)
    change('new')
    read()
    noteConfiguration(earlier)
    late.resolve('old')
    await first
    assert.equal(await find(), 'new')
  })

  test('holds no more values than its bound', async ({ assert }) => {
    const { read, memory } = versioned()
    read()
    let reads = 0
    const count = async () => String(++reads)
    for (const key of ['1', '2', '3', '2', '3']) await memory.find(key, count)
    assert.equal(reads, 3)
    assert.equal(await memory.find('1', count), '4')
  })

  test('a request reads the version once', async ({ assert }) => {
    const { count, reads } = counted()
    await asOneRequest(async () => {
      await ensureConfiguration(count)
      await ensureConfiguration(count)
    })
    assert.equal(reads(), 1)
  })

  test('a request does not pass for another one', async ({ assert }) => {
    const { count, reads } = counted()
    await asOneRequest(() => ensureConfiguration(count))
    await asOneRequest(() => ensureConfiguration(count))
    assert.equal(reads(), 2)
  })
})
