import { test } from '@japa/runner'
import store from '#auth/store/service'

test.group('Pages | outage', (group) => {
  const { readConfiguration } = store
  let reads = 0
  group.each.setup(() => {
    reads = 0
    store.readConfiguration = async () => {
      reads++
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    }
    return () => void (store.readConfiguration = readConfiguration)
  })

  test('a path without a page is told on a page', async ({ client, assert }) => {
    const response = await client.get('/no-such-page').header('accept', 'text/html')
    response.assertStatus(404)
    assert.match(response.text(), /<title>[^<]+<\/title>/)
    assert.isAbove(reads, 0)
  })
})
