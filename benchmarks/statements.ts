import type { Postgres } from '../tests/servers/postgres.ts'
import type { Redis } from '../tests/servers/redis.ts'
import type { Service } from './service.ts'

/*
 | What each operation asks of Postgres (`pg_stat_statements`, BEGIN and COMMIT included) and
 | of Redis, counted while requests are sent one after the other.
 */

export const COUNTED = [
  'profile',
  'refresh',
  'login',
  'failed login',
  'profile change',
  'logout',
] as const
export type CountedOperation = (typeof COUNTED)[number]

export interface Count {
  postgres: number
  redis: number
}

export type StatementCounts = Partial<Record<CountedOperation, Count>>

/** The settings with which Postgres counts statements. */
export const COUNTING = {
  'shared_preload_libraries': 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'on',
}

const USERS = 8

export interface Servers {
  postgres: Postgres
  redis: Redis
}

export async function countStatements(
  service: Service,
  servers: Servers
): Promise<StatementCounts> {
  const read = () => readCount(service, servers)
  const counts: StatementCounts = {}
  for (const operation of COUNTED) {
    const requests = await service.requestsOf(operation, USERS)
    if (!requests) continue
    const warmUp = operation === 'logout' ? requests.slice(0, 1) : requests
    for (const request of warmUp) await service.send(request)
    const counted = operation === 'logout' ? requests.slice(1) : requests
    const before = await read()
    for (const request of counted) await service.send(request)
    counts[operation] = perRequest(before, await read(), counted.length)
  }
  return counts
}

export async function readCount({ target }: Service, { postgres, redis }: Servers): Promise<Count> {
  const { database, env } = target
  return {
    postgres: await statementsOf(database!, postgres),
    redis: env.REDIS_URL ? await commandsOf(redis) : 0,
  }
}

export function perRequest(before: Count, after: Count, requests: number): Count {
  return {
    postgres: (after.postgres - before.postgres) / requests,
    redis: Math.max(0, after.redis - before.redis) / requests,
  }
}

async function statementsOf(database: string, postgres: Postgres) {
  await postgres.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const [row] = await postgres.query(
    `SELECT coalesce(sum(s.calls), 0) AS calls FROM pg_stat_statements s
     JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = '${database}'`
  )
  return Number(row.calls)
}

/** Omits the commands of the reading: each reading opens a connection with a few commands. */
async function commandsOf(redis: Redis) {
  const stats = String(await redis.command('INFO', 'commandstats'))
  return [...stats.matchAll(/^cmdstat_(\w+)[^:]*:calls=(\d+)/gm)]
    .filter(([, name]) => !['info', 'client', 'ping', 'select'].includes(name))
    .reduce((sum, [, , calls]) => sum + Number(calls), 0)
}
