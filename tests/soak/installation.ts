import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { WITH_ADMIN } from '#tests/process/application'
import { Backend } from '#tests/process/backend'
import { newDataDir } from '#tests/process/product'
import { Disk } from './disk.ts'
import { Servers } from './servers.ts'
import type { Fault } from './faults.ts'

const SETTINGS = {
  ...WITH_ADMIN,
  /** Each browser of the soak has its own address, and thus its own limits. */
  TRUSTED_PROXIES: '127.0.0.0/8',
  ACCESS_TOKEN_TTL: '24h',
  HASH_QUEUE_LIMIT: '64',
  LOCKOUT_THRESHOLD: '100',
  LOG_LEVEL: 'error',
  /** The receiver of the webhook. */
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
}

const PROCESSES = 2

type Row = Record<string, any>

/** Processes of the product, with everything that they need. */
export interface Installation {
  name: string
  servers: Servers
  query: (sql: string) => Promise<Row[]>
  /** Null on SQLite. */
  backend: Backend | null
  /** The disk of Postgres's tables; null if it cannot be full. */
  disk: Disk | null
  /** The faults to cause, if not the faults of every part. */
  faults?: Record<string, Fault>
  remove: () => Promise<void>
}

/** The processes share a folder, because one that deletes a user also removes files of others. */
export async function startServers(settings: Record<string, string>) {
  const servers = new Servers({ ...settings, ...SETTINGS }, newDataDir())
  await servers.start(PROCESSES)
  return servers
}

async function onServers(): Promise<Installation> {
  const [backend, disk] = [await Backend.withRedis(['--appendonly', 'yes']), Disk.mount()]
  const tablespace = `CREATE TABLESPACE small LOCATION '${disk?.folder}'`
  if (disk) {
    await backend.postgres.query(tablespace)
    await backend.postgres.query('ALTER DATABASE gatehouse SET TABLESPACE small')
  }
  const servers = await startServers(backend.settings)
  const remove = async () => {
    await servers.remove()
    await backend.remove()
    disk?.remove()
  }
  const query = (sql: string) => backend.query(sql)
  return { name: 'Postgres and Redis', servers, query, backend, disk, remove }
}

async function onSqlite(): Promise<Installation> {
  const servers = await startServers({})
  const query = async (sql: string) => {
    const database = new Sqlite(join(servers.dataDir, 'gatehouse.sqlite'))
    try {
      return database.prepare(sql).all() as Row[]
    } finally {
      database.close()
    }
  }
  const remove = () => servers.remove()
  return { name: 'SQLite', servers, query, backend: null, disk: null, remove }
}

export const INSTALLATIONS = [onServers, onSqlite]
