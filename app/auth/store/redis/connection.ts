import type { Cluster, Redis } from 'ioredis'
import { comparisonRefusal } from './comparison.ts'
import { ALL_KEYS, STORE_ID } from './keys.ts'
import { scripts, type ScriptName } from './scripts.ts'

export type RedisClient = Redis | Cluster

type Argument = string | number

/** What `defineCommand` adds to the client. */
type Commands = Record<ScriptName, (...values: Argument[]) => Promise<unknown>>

export class RedisConnection {
  readonly client: RedisClient

  /** The reason for a lost connection, which a failed command does not give. */
  #refusal: Error | undefined

  constructor(client: RedisClient) {
    this.client = client
    client.on('error', (error: Error) => (this.#refusal = isRefusal(error) ? error : undefined))
    client.on('ready', () => (this.#refusal = undefined))
    for (const [name, script] of Object.entries(scripts)) client.defineCommand(name, script)
  }

  /**
   * Sends the scripts of one turn of the event loop together.
   * @throws the error of ioredis if Redis refuses the script or is late (`config/redis.ts`), and an
   * error until the server has been compared
   */
  run<Reply>(name: ScriptName, keys: string[], args: Argument[] = []): Promise<Reply> {
    const refusal = comparisonRefusal()
    if (refusal) return Promise.reject(refusal)
    const commands = this.client as unknown as Commands
    const reply = commands[name](...keys, ...args) as Promise<Reply>
    return reply.catch((error) => this.#sendScript(name, [...keys, ...args], error))
  }

  // A restarted or promoted server does not know the script, so it has run nothing.
  #sendScript(name: ScriptName, values: Argument[], error: Error): Promise<any> {
    if (!error.message.startsWith('NOSCRIPT')) throw error
    const { lua, numberOfKeys } = scripts[name]
    return this.client.eval(lua, numberOfKeys, ...values)
  }

  /** @throws the reason if the servers refuse this client */
  async ping() {
    try {
      await Promise.all(this.masters().map((server) => server.ping()))
    } catch (error) {
      throw this.#refusal ?? error
    }
  }

  /** Returns null if the server is new or has lost its data. */
  readId() {
    return this.client.get(STORE_ID)
  }

  async writeId(id: string) {
    await this.client.set(STORE_ID, id)
  }

  /**
   * Removes every key of the product but the id, on all servers; other keys stay. Without the id, a
   * removal that failed halfway would leave sessions in a store that looks new.
   */
  async removeAll() {
    for (const server of this.masters()) {
      const pages = server.scanStream({ match: ALL_KEYS, count: 1_000 })
      for await (const keys of pages) {
        const removed = (keys as string[]).filter((key) => key !== STORE_ID)
        await removeKeys(server, removed)
      }
    }
  }

  /** Sorts by address, because the cursor of a session scan depends on the order. */
  masters(): Redis[] {
    if (!this.client.isCluster) return [this.client as Redis]
    const nodes = (this.client as Cluster).nodes('master')
    const address = ({ options }: Redis) => `${options.host}:${options.port}`
    return nodes.sort((one, other) => address(one).localeCompare(address(other)))
  }
}

/** Sends a command for each key: keys of one command share a slot. @throws what Redis refuses */
async function removeKeys(server: Redis, keys: string[]) {
  const commands = server.pipeline()
  for (const key of keys) commands.unlink(key)
  const replies = (await commands.exec()) ?? []
  for (const [error] of replies) if (error) throw error
}

function isRefusal({ message }: Error) {
  return /\b(NOAUTH|WRONGPASS|NOPERM)\b/.test(message)
}

/** Waits until the client is ready or the time is over; never rejects. */
export async function waitUntilReady(client: RedisClient, timeoutMs: number) {
  if (client.status === 'ready') return
  await new Promise<void>((resolve) => {
    client.once('ready', resolve)
    setTimeout(() => {
      client.off('ready', resolve)
      resolve()
    }, timeoutMs).unref()
  })
}
