import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BATCH_SIZE, inBatches } from '#database/batches'
import { oneAtATime } from '#database/one_at_a_time'

test.group('Batches', () => {
  test('of {rows} rows are {batches}')
    .with([
      { rows: 0, batches: 1 },
      { rows: BATCH_SIZE - 1, batches: 1 },
      { rows: BATCH_SIZE, batches: 2 },
      { rows: BATCH_SIZE + 1, batches: 2 },
    ])
    .run(async ({ assert }, { rows, batches }) => {
      let [left, calls] = [rows, 0]
      const total = await inBatches(async (size) => {
        const found = Math.min(left, size)
        left -= found
        calls++
        return found
      })
      assert.equal(total, rows)
      assert.equal(calls, batches)
    })

  test('let a timer and an immediate through between two', async ({ assert }) => {
    const seen: string[] = []
    setImmediate(() => seen.push('immediate'))
    setTimeout(() => seen.push('timer'), 0)
    let calls = 0
    await inBatches(async (size) => {
      if (++calls === 2) seen.push('second batch')
      return calls === 1 ? size : 0
    })
    assert.deepEqual(seen.sort(), ['immediate', 'second batch', 'timer'])
    assert.equal(calls, 2)
  })
})

test.group('One at a time', () => {
  function task() {
    const state = { running: 0, most: 0, runs: 0 }
    const run = oneAtATime(async () => {
      state.most = Math.max(state.most, ++state.running)
      const number = ++state.runs
      await wait(5)
      state.running--
      if (number === 1) throw new Error('the first one fails')
      return number
    })
    return { run, state }
  }

  test('calls during a run share the next one', async ({ assert }) => {
    const { run, state } = task()
    const results = await Promise.allSettled([run(), run(), run(), run()])
    const values = results.map((each) => (each.status === 'fulfilled' ? each.value : 'failed'))
    assert.deepEqual(values, ['failed', 2, 2, 2])
    assert.deepEqual(state, { running: 0, most: 1, runs: 2 })
  })

  test('a call after a run starts another one', async ({ assert }) => {
    const { run, state } = task()
    await run().catch(() => {})
    assert.equal(await run(), 2)
    assert.equal(await run(), 3)
    assert.equal(state.most, 1)
  })
})
