import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { unprivileged, type Postgres } from './postgres.ts'
import { ServerProcess } from './process.ts'

const FILE = 'pgbouncer.ini'

/** The number of Postgres connections that all clients share: fewer than they open. */
const POOL_SIZE = 6

/** A private PgBouncer in transaction mode, in front of a Postgres of the tests. */
export class PgBouncer {
  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly server: ServerProcess
  ) {}

  static async start(postgres: Postgres) {
    const folder = temporaryFolder('pgbouncer')
    const port = await freePort()
    const file = join(folder, FILE)
    writeFileSync(file, settings(postgres.port, port))
    const { uid, gid } = unprivileged()
    if (uid !== undefined && gid !== undefined) {
      for (const path of [folder, file]) chownSync(path, uid, gid)
    }
    return PgBouncer.#startIn(folder, port)
  }

  static async #startIn(folder: string, port: number) {
    const file = join(folder, FILE)
    const server = await ServerProcess.start(
      [findOrInstall('pgbouncer', 'pgbouncer'), '-q', file],
      { ...unprivileged(), cwd: folder },
      () => isAnswering(port)
    )
    return new PgBouncer(port, folder, server)
  }

  /** Kills the pooler and starts another one on its port. */
  async restart() {
    await this.server.stop('SIGKILL')
    return PgBouncer.#startIn(this.folder, this.port)
  }

  url(database: string) {
    return `postgres://gatehouse@127.0.0.1:${this.port}/${database}`
  }

  async remove() {
    await this.server.stop('SIGTERM')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function settings(postgresPort: number, port: number) {
  return [
    '[databases]',
    `* = host=127.0.0.1 port=${postgresPort} user=gatehouse`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${POOL_SIZE}`,
    'server_login_retry = 1',
    '',
  ].join('\n')
}

async function isAnswering(port: number) {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'gatehouse', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  await client.query('SELECT 1')
  await client.end()
  return true
}
