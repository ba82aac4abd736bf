import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import { RedisConnection, type RedisClient } from '#auth/store/redis/connection'
import { STORE_ID } from '#auth/store/redis/keys'

interface Pipeline {
  unlink(key: string): void
  exec(): Promise<[Error | null, unknown][]>
}

/** Makes a server with the id of a store and another key. */
function serverWith(commands: Pipeline) {
  const scanStream = () => Readable.from([[STORE_ID, 'gatehouse:x']])
  const client = { on: () => {}, defineCommand: () => {}, scanStream, pipeline: () => commands }
  return client as unknown as RedisClient
}

/** Makes a server that refuses the removal of keys in a pipeline. */
function refusing(reason: Error) {
  return serverWith({ unlink: () => {}, exec: async () => [[reason, null]] })
}

test.group('Redis | removal of all keys', () => {
  test('a refused removal is told', async ({ assert }) => {
    const connection = new RedisConnection(refusing(new Error('NOPERM')))
    await assert.rejects(() => connection.removeAll(), 'NOPERM')
  })

  test('the id stays until another one is written', async ({ assert }) => {
    const removed: string[] = []
    const unlink = (key: string) => void removed.push(key)
    await new RedisConnection(serverWith({ unlink, exec: async () => [] })).removeAll()
    assert.deepEqual(removed, ['gatehouse:x'])
  })
})
