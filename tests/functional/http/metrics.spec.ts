import { test } from '@japa/runner'
import { readMetrics } from '#health/metrics'

test.group('Metrics', () => {
  test('are text that Prometheus reads', async ({ assert }) => {
    const { contentType, text } = await readMetrics()
    assert.match(contentType, /^text\/plain/)
    assert.match(text, /^# HELP gatehouse_password_hashes/m)
    assert.match(text, /^gatehouse_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.match(text, /^process_resident_memory_bytes \d+/m)
  })

  test('need a token behind a trusted proxy', async ({ client }) => {
    const response = await client.get('/metrics')
    response.assertStatus(401)
  })

  test('are not for what a proxy forwards', async ({ client }) => {
    const response = await client.get('/metrics').header('x-forwarded-for', '127.0.0.1')
    response.assertStatus(401)
  })
})
