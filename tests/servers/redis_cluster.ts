import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#tests/support/free_port'
import { Redis } from './redis.ts'

/** The number of slots of a cluster. The last slot is 16,383. */
const SLOTS = 16_384

/** A private cluster on loopback of three servers, each with a third of the slots, or of six. */
export class RedisCluster {
  private constructor(
    readonly nodes: Redis[],
    readonly replicas: Redis[]
  ) {}

  /** @param withReplicas gives each server another one that takes its place */
  static async start({ withReplicas = false } = {}) {
    const masters = await Promise.all([1, 2, 3].map(startMaster))
    const replicas = withReplicas ? await Promise.all(masters.map(() => startNode())) : []
    const [first] = masters
    for (const { node, busPort } of [...masters.slice(1), ...replicas]) {
      await first.node.command('CLUSTER', 'MEET', '127.0.0.1', String(node.port), String(busPort))
    }
    const cluster = new RedisCluster(nodesOf(masters), nodesOf(replicas))
    while (!(await cluster.#isComplete())) await wait(50)
    await cluster.#replicate()
    return cluster
  }

  async #replicate() {
    for (const [index, replica] of this.replicas.entries()) {
      const master = await this.nodes[index].command('CLUSTER', 'MYID')
      await replica.command('CLUSTER', 'REPLICATE', String(master))
    }
    for (const replica of this.replicas) while (!(await isLinked(replica))) await wait(50)
  }

  /** Kills a server and waits until its replica has taken its slots. */
  async failOver(index: number) {
    const [lost, heir] = [this.nodes[index], this.replicas[index]]
    await lost.stop('SIGKILL')
    while (!(await isMaster(heir))) await wait(50)
    this.nodes[index] = heir
    this.replicas[index] = lost
  }

  /** Makes the server that was killed follow the one that took its place. */
  async rejoin(index: number) {
    await this.replicas[index].resume()
    while (!(await isLinked(this.replicas[index]))) await wait(50)
  }

  /** The settings that make the product use this cluster. */
  get settings() {
    const nodes = this.nodes.map(({ port }) => `127.0.0.1:${port}`)
    return { STORE: 'redis', REDIS_CLUSTER_NODES: nodes.join(',') }
  }

  /** Begins to move the slot of a user. The keys that `isMoved` accepts go to another server. */
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
    const all = [...this.nodes, ...this.replicas]
    const infos = await Promise.all(all.map((node) => node.command('CLUSTER', 'INFO')))
    const isComplete = new RegExp(`cluster_state:ok[^]*known_nodes:${all.length}`)
    return infos.every((info) => isComplete.test(String(info)))
  }

  async remove() {
    await Promise.all([...this.nodes, ...this.replicas].map((node) => node.remove()))
  }
}

interface Started {
  node: Redis
  busPort: number
}

const nodesOf = (started: Started[]) => started.map(({ node }) => node)

const replicationOf = (node: Redis) => node.command('INFO', 'replication').catch(() => '')

async function isMaster(node: Redis) {
  return /role:master/.test(String(await replicationOf(node)))
}

async function isLinked(node: Redis) {
  return /role:slave[^]*master_link_status:up/.test(String(await replicationOf(node)))
}

async function startMaster(number: number) {
  const started = await startNode()
  const from = Math.ceil(((number - 1) * SLOTS) / 3)
  const to = Math.ceil((number * SLOTS) / 3) - 1
  await started.node.command('CLUSTER', 'SET-CONFIG-EPOCH', String(number))
  await started.node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
  return started
}

async function startNode(): Promise<Started> {
  const busPort = await freePort()
  const node = await Redis.start([
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', '1500'],
  ])
  return { node, busPort }
}
