import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis as Client } from 'ioredis'
import { findOrInstall } from '#tests/debian'
import { freePort } from '#tests/free_port'
import { ServerProcess } from './process.ts'

/** A private Redis on a free loopback port, in a folder of its own. */
export class Redis {
  #server!: ServerProcess

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly flags: string[]
  ) {}

  /** @param flags further settings, such as `['--maxmemory', '2mb']` */
  static async start(flags: string[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redis-'))
    const redis = new Redis(await freePort(), folder, flags)
    await redis.resume()
    return redis
  }

  /** Starts the server, for the first time or again; data that was not saved is lost. */
  async resume() {
    const address = ['--port', `${this.port}`, '--bind', '127.0.0.1']
    this.#server = await ServerProcess.start(
      [
        findOrInstall('redis-server', 'redis-server'),
        ...address,
        '--dir',
        this.folder,
        '--save',
        '',
        ...this.flags,
      ],
      {},
      async () => (await this.command('PING')) === 'PONG'
    )
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Sends one command on a connection of its own. */
  async command(name: string, ...args: string[]) {
    const client = new Client(this.url, { lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => {})
    await client.connect()
    try {
      return await client.call(name, ...args)
    } finally {
      client.disconnect()
    }
  }

  get pid() {
    return this.#server.child.pid!
  }

  signal(signal: NodeJS.Signals) {
    this.#server.signal(signal)
  }

  stop(signal: NodeJS.Signals = 'SIGTERM') {
    return this.#server.stop(signal)
  }

  async remove() {
    await this.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
