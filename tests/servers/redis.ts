import { rmSync } from 'node:fs'
import { Redis as Client } from 'ioredis'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ServerProcess } from './process.ts'
import type { Certificate } from './certificate.ts'

/** Returns the settings of a port. With a certificate it speaks TLS, also to replicas. */
export function portSettings(port: number, certificate?: Certificate) {
  if (!certificate) return [['port', `${port}`]]
  return [
    ['port', '0'],
    ['tls-port', `${port}`],
    ['tls-cert-file', certificate.file],
    ['tls-key-file', certificate.key],
    ['tls-ca-cert-file', certificate.file],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ]
}

const flagsOf = (settings: string[][]) => settings.flatMap(([name, value]) => [`--${name}`, value])

/** A private Redis on a free loopback port, in a folder of its own. */
export class Redis {
  #server!: ServerProcess

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly flags: string[],
    readonly certificate?: Certificate
  ) {}

  /**
   * @param flags further settings, such as `['--maxmemory', '2mb']`
   * @param certificate with it, the server only speaks TLS
   */
  static async start(flags: string[] = [], certificate?: Certificate) {
    const folder = temporaryFolder('redis')
    const redis = new Redis(await freePort(), folder, flags, certificate)
    await redis.resume()
    return redis
  }

  /** Starts the server, for the first time or again; data that was not saved is lost. */
  async resume() {
    const address = [...flagsOf(portSettings(this.port, this.certificate)), '--bind', '127.0.0.1']
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
    return `${this.certificate ? 'rediss' : 'redis'}://127.0.0.1:${this.port}`
  }

  /** Sends one command on its own connection. */
  async command(name: string, ...args: string[]) {
    const tls = this.certificate?.options
    const client = new Client(this.url, { lazyConnect: true, retryStrategy: () => null, tls })
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
