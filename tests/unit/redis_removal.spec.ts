import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import { RedisConnection, type RedisClient } from '#auth/store/redis/connection'

/** Answers each command of a pipeline as a server that allows no removal does. */
function refusing(reason: Error) {
  const pipeline = () => ({ unlink: () => {}, exec: async () => [[reason, null]] })
  const scanStream = () => Readable.from([['gatehouse:x']])
  const client = { on: () => {}, defineCommand: () => {}, scanStream, pipeline }
  return client as unknown as RedisClient
}

test.group('Redis | removal of all keys', () => {
  test('a refused removal is told', async ({ assert }) => {
    const connection = new RedisConnection(refusing(new Error('NOPERM')))
    await assert.rejects(() => connection.removeAll(), 'NOPERM')
  })
})
