import { test } from '@japa/runner'

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
