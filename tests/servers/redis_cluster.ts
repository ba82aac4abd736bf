import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#tests/free_port'
import { Redis } from './redis.ts'

/** One more than the last slot of a cluster. */
const SLOTS = 16_384

/** A private cluster of three servers on loopback, each with a third of the slots. */
export class RedisCluster {
  private constructor(readonly nodes: Redis[]) {}

  static async start() {
    const places = await Promise.all([1, 2, 3].map(startNode))
    const [first] = places
    for (const { node, busPort } of places.slice(1)) {
      await first.node.command('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(busPort))
    }
    const cluster = new RedisCluster(places.map(({ node }) => node))
    while (!(await cluster.#isWhole())) await wait(50)
    return cluster
  }

  /** What tells the product to use this cluster. */
  get settings() {
    const nodes = this.nodes.map(({ port }) => `127.0.0.1:${port}`)
    return { STORE: 'redis', REDIS_CLUSTER_NODES: nodes.join(',') }
  }

  async #isWhole() {
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
