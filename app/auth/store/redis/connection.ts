import type { Cluster, Redis } from 'ioredis'
import { scripts, type ScriptName } from './scripts.ts'

export type RedisClient = Redis | Cluster

type Argument = string | number

/** A connection to one server or to a cluster, by which the driver runs its scripts. */
export class RedisConnection {
  readonly client: RedisClient

  constructor(client: RedisClient) {
    this.client = client
    for (const [name, script] of Object.entries(scripts)) client.defineCommand(name, script)
  }

  /**
   * Runs a script on the server that holds its keys. Scripts of one turn of the event
   * loop travel together.
   */
  run<Reply>(name: ScriptName, keys: string[], args: Argument[] = []): Promise<Reply> {
    return (this.client as any)[name](...keys, ...args)
  }

  /** The servers that hold keys, in an order that does not change while they are the same. */
  masters(): Redis[] {
    if (!this.client.isCluster) return [this.client as Redis]
    const nodes = (this.client as Cluster).nodes('master')
    const address = ({ options }: Redis) => `${options.host}:${options.port}`
    return nodes.sort((one, other) => address(one).localeCompare(address(other)))
  }
}

/** Resolves when a connection is usable, or after the time that a start may wait for it. */
export async function opens(client: RedisClient, waitMs: number) {
  if (client.status === 'ready') return
  await new Promise<void>((resolve) => {
    client.once('ready', () => resolve())
    setTimeout(resolve, waitMs).unref()
  })
}
