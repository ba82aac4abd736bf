import { getActiveTestOrFail } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { Redis } from 'ioredis'
import env from '#start/env'
import tokenStore from '#auth/store/service'
import { hashEmail } from '#auth/lockout/count_keys'
import { attemptsKey } from '#auth/store/redis/keys'
import { RedisConnection } from '#auth/store/redis/connection'
import { until } from '#tests/support/waiting'
import type { ScriptName } from '#auth/store/redis/scripts'

/** In milliseconds. Tests wait longer than the product does (`support/timeouts.ts`). */
const LATE_MS = 50

/** Redis holds the commands that it receives, and runs them at the end. */
async function pause(clients: Redis[]) {
  const [{ commandTimeout }] = clients.map(({ options }) => options)
  const waitFor = (ms: number | undefined) =>
    clients.forEach(({ options }) => (options.commandTimeout = ms))
  const other = new Redis(env.get('REDIS_URL'))
  await other.client('PAUSE', 10_000, 'WRITE')
  waitFor(LATE_MS)
  return async () => {
    waitFor(commandTimeout)
    await other.client('UNPAUSE')
    other.disconnect()
  }
}

/** Breaks the connection, so that Redis runs nothing. */
async function lose([store]: Redis[]) {
  store.disconnect(true)
  return async () => {}
}

const FAULTS = { lost: lose, late: pause }

const answers = () =>
  tokenStore.ping().then(
    () => true,
    () => false
  )

interface Failing {
  /** Ends the fault, as does the end of the test. */
  end: () => Promise<void>
  /** Resolves when Redis was asked to undo the lock of the user. */
  undone: Promise<void>
}

/** Makes Redis fail when this script is sent. */
export async function failAt(
  script: ScriptName,
  fault: keyof typeof FAULTS,
  { email }: { email: string }
): Promise<Failing> {
  const clients = await clientsOf(['store', 'main'])
  const { run } = RedisConnection.prototype
  const undone = Promise.withResolvers<void>()
  let failing: Promise<() => Promise<void>> | undefined
  const undoneKey = attemptsKey(hashEmail(email))
  RedisConnection.prototype.run = async function (this: RedisConnection, name, keys, args) {
    if (name === script) await (failing ??= FAULTS[fault](clients))
    const reply = (await run.call(this, name, keys, args)) as any
    if (name === 'gatehouseUndoLock' && keys[0] === undoneKey) undone.resolve()
    return reply
  }
  const recover = async () => {
    const end = await failing
    failing = Promise.resolve(async () => {})
    await end?.()
    await until(answers)
  }
  getActiveTestOrFail().cleanup(async () => {
    RedisConnection.prototype.run = run
    await recover()
  })
  return { end: recover, undone: undone.promise }
}

async function clientsOf(names: ('store' | 'main')[]) {
  const redis = await app.container.make('redis')
  return names.map((name) => redis.connection(name).ioConnection as unknown as Redis)
}
