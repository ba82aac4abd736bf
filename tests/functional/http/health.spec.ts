import { test } from '@japa/runner'
import { DatabaseConnectionCheck } from '#health/checks/database_connection_check'

test.group('Health', () => {
  test('tells that everything answers', async ({ client, assert }) => {
    const response = await client.get('/health')
    response.assertStatus(200)
    assert.equal(response.body().status, 'ok')
  })

  test('measures the {name}')
    .with([
      { name: 'database', path: '/health/database' },
      { name: 'store', path: '/health/redis' },
    ])
    .run(async ({ client, assert }, { path }) => {
      const response = await client.get(path)
      response.assertStatus(200)
      assert.equal(response.body().status, 'ok')
      assert.isString(response.body().driver)
      assert.isNumber(response.body().latencyMs)
    })

  test('answers probes at {path}')
    .with([{ path: '/health/live' }, { path: '/health/ready' }, { path: '/api/health' }])
    .run(async ({ client }, { path }) => {
      const response = await client.get(path)
      response.assertStatus(200)
    })
})

class CountedCheck extends DatabaseConnectionCheck {
  writes = 0

  protected override write() {
    this.writes++
    return super.write()
  }
}

test.group('Health | writes', () => {
  test('happen once however often somebody asks', async ({ assert }) => {
    const check = new CountedCheck({ writtenMs: 60_000 })
    for (let count = 0; count < 20; count++) {
      const { status } = await check.run()
      assert.equal(status, 'ok')
    }
    assert.equal(check.writes, 1)
  })

  test('happen again once the last one is old', async ({ assert }) => {
    const check = new CountedCheck({ writtenMs: 0 })
    await check.run()
    await check.run()
    assert.equal(check.writes, 2)
  })
})
