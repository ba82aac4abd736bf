import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { findOrInstall } from '#tests/debian'
import { freePort } from '#tests/free_port'
import { ServerProcess } from './process.ts'
import { Redis } from './redis.ts'

const NAME = 'gatehouse'

/** A master, a replica of it, and three sentinels that agree on which of the two is master. */
export class RedisSentinel {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gatehouse-sentinel-'))
  readonly #sentinels: ServerProcess[] = []
  readonly #ports: number[] = []

  private constructor(
    readonly master: Redis,
    readonly replica: Redis
  ) {}

  static async start() {
    const master = await Redis.start()
    const replica = await Redis.start(['--replicaof', `127.0.0.1 ${master.port}`])
    const group = new RedisSentinel(master, replica)
    for (let count = 1; count <= 3; count++) await group.#startSentinel()
    while (!(await group.#isComplete())) await wait(100)
    return group
  }

  /** The settings that make the product use this group. */
  get settings() {
    const sentinels = this.#ports.map((port) => `127.0.0.1:${port}`).join(',')
    return { STORE: 'redis', REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: NAME }
  }

  async #startSentinel() {
    const port = await freePort()
    const file = join(this.#folder, `${port}.conf`)
    const settings = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${this.#folder}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${this.master.port} 2`,
      `sentinel down-after-milliseconds ${NAME} 600`,
      `sentinel failover-timeout ${NAME} 3000`,
    ]
    writeFileSync(file, settings.join('\n'))
    const program = findOrInstall('redis-server', 'redis-server')
    const answers = async () => (await ask(port, 'PING')) === 'PONG'
    this.#sentinels.push(await ServerProcess.start([program, file, '--sentinel'], {}, answers))
    this.#ports.push(port)
  }

  /** Whether every sentinel knows the replica and the two others. */
  async #isComplete() {
    for (const port of this.#ports) {
      const known = String(await ask(port, 'INFO', 'sentinel'))
      if (!/slaves=1,sentinels=3/.test(known)) return false
    }
    return /master_link_status:up/.test(String(await this.replica.command('INFO', 'replication')))
  }

  /** Waits until the replica has everything that the master has now. */
  async replicated() {
    const offset = offsetOf(await this.master.command('INFO', 'replication'), 'master_repl_offset')
    const reached = async () =>
      offsetOf(await this.replica.command('INFO', 'replication'), 'slave_repl_offset')
    while ((await reached()) < offset) await wait(20)
  }

  /** Waits until the replica is master; during the promotion it closes connections. */
  async waitForPromotion() {
    const role = () => this.replica.command('INFO', 'replication').catch(() => '')
    while (!/role:master/.test(String(await role()))) await wait(50)
  }

  async remove() {
    for (const sentinel of this.#sentinels) await sentinel.stop('SIGKILL')
    await this.master.remove()
    await this.replica.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function offsetOf(info: unknown, name: string) {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(String(info))![1])
}

async function ask(port: number, command: string, ...args: string[]) {
  const client = new Client({ port, lazyConnect: true, retryStrategy: () => null })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.call(command, ...args)
  } finally {
    client.disconnect()
  }
}
