import { test } from '@japa/runner'

test.group('Metrics', () => {
  test('are for this machine while there is no token', async ({ client, assert }) => {
    const response = await client.get('/metrics')
    response.assertStatus(200)
    assert.match(response.header('content-type')!, /^text\/plain/)
    assert.match(response.text(), /^# HELP gatehouse_password_hashes/m)
    assert.match(response.text(), /^process_resident_memory_bytes \d+/m)
  })

  test('are not for what a proxy forwards', async ({ client }) => {
    const response = await client.get('/metrics').header('x-forwarded-for', '127.0.0.1')
    response.assertStatus(401)
  })
})
