import { test } from '@japa/runner'
import { ConnectionCheck } from '#health/checks/connection_check'
import { SCHEDULING_MS } from '#tests/support/waiting'

class SampleCheck extends ConnectionCheck {
  name = 'sample'
  driver = 'sample'
  pings = 0

  constructor(readonly answer: () => Promise<unknown>) {
    super()
  }

  protected ping() {
    this.pings++
    return this.answer()
  }
}

test.group('Connection check', () => {
  test('shares a ping in flight and starts another afterwards', async ({ assert }) => {
    const answer = Promise.withResolvers<void>()
    const check = new SampleCheck(() => answer.promise)
    const running = [check.run(), check.run(), check.run()]
    assert.equal(check.pings, 1)
    answer.resolve()
    await Promise.all(running)
    await check.run()
    assert.equal(check.pings, 2)
  })

  test('fails within a second when nothing answers', async ({ assert }) => {
    const check = new SampleCheck(() => new Promise(() => {}))
    const { status, meta } = await check.run()
    assert.equal(status, 'error')
    assert.equal(meta!.driver, 'sample')
    assert.isBelow(meta!.latencyMs, 1_000 + SCHEDULING_MS)
  })

  test('fails when the dependency refuses', async ({ assert }) => {
    const check = new SampleCheck(() => Promise.reject(new Error('refused')))
    const { status, message } = await check.run()
    assert.deepEqual({ status, message }, { status: 'error', message: 'refused' })
  })
})
