import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ServerProcess } from './process.ts'
import { portSettings, Redis } from './redis.ts'
import type { Certificate } from './certificate.ts'

const NAME = 'gatehouse'

/** A master, a replica of it, and three sentinels that agree on which of the two is master. */
export class RedisSentinel {
  readonly #folder = temporaryFolder('sentinel')
  readonly #sentinels: ServerProcess[] = []
  readonly #ports: number[] = []

  private constructor(
    public master: Redis,
    public replica: Redis
  ) {}

  /** @param certificate with it, all servers only speak TLS */
  static async start(certificate?: Certificate) {
    const master = await Redis.start([], certificate)
    const replica = await Redis.start(['--replicaof', `127.0.0.1 ${master.port}`], certificate)
    const group = new RedisSentinel(master, replica)
    for (let count = 1; count <= 3; count++) await group.#startSentinel()
    while (!(await group.#isComplete())) await wait(100)
    return group
  }

  /** The settings that make the product use this group. */
  get settings(): Record<string, string> {
    const sentinels = this.#ports.map((port) => `127.0.0.1:${port}`).join(',')
    const group = { STORE: 'redis', REDIS_SENTINELS: sentinels, REDIS_SENTINEL_NAME: NAME }
    const { certificate } = this.master
    if (!certificate) return group
    return { ...group, REDIS_URL: 'rediss://127.0.0.1', NODE_EXTRA_CA_CERTS: certificate.file }
  }

  async #startSentinel() {
    const port = await freePort()
    const file = join(this.#folder, `${port}.conf`)
    const settings = [
      ...portSettings(port, this.master.certificate).map((setting) => setting.join(' ')),
      'bind 127.0.0.1',
      `dir ${this.#folder}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${this.master.port} 2`,
      `sentinel down-after-milliseconds ${NAME} 600`,
      `sentinel failover-timeout ${NAME} 3000`,
    ]
    writeFileSync(file, settings.join('\n'))
    const program = findOrInstall('redis-server', 'redis-server')
    const answers = async () => (await this.#ask(port, 'PING')) === 'PONG'
    this.#sentinels.push(await ServerProcess.start([program, file, '--sentinel'], {}, answers))
    this.#ports.push(port)
  }

  /** Whether every sentinel knows the replica and the two others. */
  async #isComplete() {
    for (const port of this.#ports) {
      const known = String(await this.#ask(port, 'INFO', 'sentinel'))
      if (!/slaves=1,sentinels=3/.test(known)) return false
    }
    return /master_link_status:up/.test(String(await this.replica.command('INFO', 'replication')))
  }

  /** Waits until the replica has all the current data of the master. */
  async replicated() {
    const offset = offsetOf(await this.master.command('INFO', 'replication'), 'master_repl_offset')
    const reached = async () =>
      offsetOf(await this.replica.command('INFO', 'replication'), 'slave_repl_offset')
    while ((await reached()) < offset) await wait(20)
  }

  /**
   * Waits until the replica is master and every sentinel says so. A sentinel that did not run for
   * two seconds keeps the old answer for half a minute (Redis documentation, “TILT mode”).
   */
  async waitForPromotion() {
    for (const port of this.#ports) while (!(await this.#namesReplica(port))) await wait(50)
  }

  async #namesReplica(port: number) {
    const answer = await this.#ask(port, 'SENTINEL', 'get-master-addr-by-name', NAME)
    return String(answer) === `127.0.0.1,${this.replica.port}`
  }

  /** Kills the master and waits until the replica is master. */
  async failOver() {
    await this.master.stop('SIGKILL')
    await this.waitForPromotion()
    ;[this.master, this.replica] = [this.replica, this.master]
  }

  /** Starts the killed server again, which Sentinel makes a replica of the new master. */
  async rejoin() {
    await this.replica.resume()
    while (!(await this.#isComplete())) await wait(100)
  }

  async #ask(port: number, command: string, ...args: string[]) {
    const tls = this.master.certificate?.options
    const address = { host: '127.0.0.1', port }
    const client = new Client({ ...address, lazyConnect: true, retryStrategy: () => null, tls })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.call(command, ...args)
    } finally {
      client.disconnect()
    }
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
