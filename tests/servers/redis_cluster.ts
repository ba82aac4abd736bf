import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#tests/support/free_port'
import { Redis } from './redis.ts'

/** Number of slots of a cluster; the last one is 16,383. */
const SLOTS = 16_384

/** A private cluster of three servers on loopback, each with a third of the slots. */
export class RedisCluster {
  private constructor(readonly nodes: Redis[]) {}

  static async start() {
    const started = await Promise.all([1, 2, 3].map(startNode))
    const [first] = started
    for (const { node, busPort } of started.slice(1)) {
      await first.node.command('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(busPort))
    }
    const cluster = new RedisCluster(started.map(({ node }) => node))
    while (!(await cluster.#isComplete())) await wait(50)
    return cluster
  }

  /** The settings that make the product use this cluster. */
  get settings() {
    const nodes = this.nodes.map(({ port }) => `127.0.0.1:${port}`)
    return { STORE: 'redis', REDIS_CLUSTER_NODES: nodes.join(',') }
  }

  /** Begins to move the slot of a user: the keys that `isMoved` names go to another server. */
  async beginMove(user: string, isMoved: (key: string) => boolean) {
    const slot = await this.nodes[0].command('CLUSTER', 'KEYSLOT', user)
    const at = Math.floor((Number(slot) * 3) / SLOTS)
    const [source, target] = [this.nodes[at], this.nodes[(at + 1) % 3]]
    const [from, to] = await Promise.all(
      [source, target].map((node) => node.command('CLUSTER', 'MYID'))
    )
    await target.command('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', String(from))
    await source.command('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', String(to))
    const migrate = async (isWanted: (key: string) => boolean) => {
      const keys = (await source.command('KEYS', `*{${user}}*`)) as string[]
      const address = ['127.0.0.1', String(target.port)]
      const wanted = keys.filter((key) => isWanted(key))
      if (wanted.length === 0) return
      await source.command('MIGRATE', ...address, '', '0', '1000', 'KEYS', ...wanted)
    }
    await migrate(isMoved)
    const finish = async () => {
      await migrate(() => true)
      for (const node of [target, ...this.nodes]) {
        await node.command('CLUSTER', 'SETSLOT', String(slot), 'NODE', String(to))
      }
    }
    return { finish }
  }

  async #isComplete() {
    const infos = await Promise.all(this.nodes.map((node) => node.command('CLUSTER', 'INFO')))
    return infos.every((info) => /cluster_state:ok[^]*known_nodes:3/.test(String(info)))
  }

  async remove() {
    await Promise.all(this.nodes.map((node) => node.remove()))
  }
}

async function startNode(number: number) {
  const busPort = await freePort()
  const node = await Redis.start([
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', '1500'],
  ])
  const from = Math.ceil(((number - 1) * SLOTS) / 3)
  const to = Math.ceil((number * SLOTS) / 3) - 1
  await node.command('CLUSTER', 'SET-CONFIG-EPOCH', String(number))
  await node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  return { node, busPort }
}
