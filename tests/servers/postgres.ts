import { execFileSync } from 'node:child_process'
import { chownSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findOrInstall } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { ServerProcess } from './process.ts'

interface PostgresOptions {
  /** Whether commits are flushed to disk. Off is quicker if no test simulates a power failure. */
  isDurable?: boolean
  /** Further settings, such as `max_connections`. */
  settings?: Record<string, string | number>
}

/** Postgres refuses to run as root, so root runs it as the user of the Debian package. */
export function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes a folder of the server's user, and runs a program in it that makes a data folder. */
function makeData(commandOf: (data: string) => string[]) {
  const folder = temporaryFolder('postgres')
  const { uid, gid } = unprivileged()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const [program, ...args] = commandOf(join(folder, 'data'))
  execFileSync(program, args, { ...unprivileged(), cwd: folder, stdio: 'pipe' })
  return folder
}

const CLUSTER = ['--username=gatehouse', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']

let empty: string | undefined

/** `initdb` takes a second and always makes the same, so it runs one time and is copied. */
function emptyData() {
  empty ??= makeData((data) => [programOf('initdb'), '-D', data, '--no-sync', ...CLUSTER])
  return join(empty, 'data')
}

const programOf = (name: string) => findOrInstall(name, 'postgresql-15')

/** A private Postgres on a free loopback port, in a folder of its own. */
export class Postgres {
  #server!: ServerProcess

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly options: PostgresOptions
  ) {}

  static async start(options: PostgresOptions = {}) {
    const source = emptyData()
    return Postgres.#startOn(
      makeData((data) => ['cp', '-a', source, data]),
      options
    )
  }

  /** Starts a server that follows this one and may lag. It only answers reads until `promote`. */
  startStandby() {
    const source = ['-h', '127.0.0.1', '-p', `${this.port}`, '-U', 'gatehouse']
    const copy = [...source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    return Postgres.#startOn(
      makeData((data) => [programOf('pg_basebackup'), '-D', data, ...copy]),
      this.options
    )
  }

  static async #startOn(folder: string, options: PostgresOptions) {
    const postgres = new Postgres(await freePort(), folder, options)
    await postgres.resume()
    return postgres
  }

  /** Lets a standby receive what the primary has written so far, and nothing afterwards. */
  async fallBehind(primary: Postgres) {
    const [{ written }] = await primary.query('SELECT pg_current_wal_flush_lsn() AS written')
    const isBehind = `SELECT 1 WHERE pg_last_wal_replay_lsn() < '${written}'`
    await this.#untilNone(isBehind)
    await this.query(`ALTER SYSTEM SET primary_conninfo = ''`)
    await this.query('SELECT pg_reload_conf()')
    await this.#untilNone('SELECT FROM pg_stat_wal_receiver')
  }

  #untilNone(sql: string) {
    return until(async () => {
      const rows = await this.query(sql)
      return rows.length === 0
    })
  }

  /** Makes each later commit wait until a standby has received it. */
  async waitForStandby() {
    const following = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`
    await until(async () => {
      const rows = await this.query(following)
      return rows.length > 0
    })
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await this.query('SELECT pg_reload_conf()')
  }

  /** Makes the standby a primary, without the data that it did not receive. */
  async promote() {
    await this.query('SELECT pg_promote()')
  }

  /** Starts the server, for the first time or again on the data that it has. */
  async resume() {
    const { isDurable = false, settings = {} } = this.options
    const given = {
      port: this.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: isDurable ? 'on' : 'off',
      synchronous_commit: isDurable ? 'on' : 'off',
      full_page_writes: isDurable ? 'on' : 'off',
      max_wal_size: '4GB',
      ...settings,
    }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#server = await ServerProcess.start(
      [programOf('postgres'), '-D', join(this.folder, 'data'), ...flags],
      { ...unprivileged(), cwd: this.folder },
      () => this.query('SELECT 1', 'postgres').then(() => true)
    )
  }

  /** Creates an empty database, and returns its address. */
  async createDatabase(name = `gatehouse_${Date.now().toString(36)}`) {
    await this.query(`CREATE DATABASE ${name}`, 'postgres')
    return this.url(name)
  }

  url(database: string) {
    return `postgres://gatehouse@127.0.0.1:${this.port}/${database}`
  }

  async query(sql: string, database = 'postgres') {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: 10_000,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query(sql)
      return rows
    } finally {
      await client.end()
    }
  }

  get pid() {
    return this.#server.child.pid!
  }

  signal(signal: NodeJS.Signals) {
    this.#server.signal(signal)
  }

  /**
   * Freezes the server and its connections until the returned function is called. The server stops
   * first: otherwise a connection that begins in between would go on.
   */
  freeze() {
    process.kill(this.pid, 'SIGSTOP')
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8')
    const pids = children.trim().split(' ').map(Number)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    return () => {
      for (const pid of [...pids, this.pid]) process.kill(pid, 'SIGCONT')
    }
  }

  /** `SIGINT` ends connections and stops, `SIGQUIT` is an immediate stop as after a crash. */
  stop(signal: NodeJS.Signals = 'SIGINT') {
    return this.#server.stop(signal)
  }

  async remove() {
    await this.stop('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
