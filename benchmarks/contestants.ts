import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Postgres } from '../tests/servers/postgres.ts'
import type { Redis } from '../tests/servers/redis.ts'

/*
 | Who is measured. Every one hashes with the same parameters, uses the same Postgres and
 | Redis, and has its limits on requests off; nothing else is tuned for anybody.
 */

export const OPERATIONS = ['profile', 'refresh', 'login'] as const
export type OperationName = (typeof OPERATIONS)[number]

export interface Contestant {
  name: string
  /** What it stands for in the tables. */
  title: string
  role: 'product' | 'baseline' | 'peer'
  command: string[]
  env: Record<string, string>
  dialect: Dialect
}

/** How one asks this service for what all of them do. */
export interface Dialect {
  register?: string
  login?: string
  profile: string
  refresh?: string
  /** The headers that carry the permission that a login gave. */
  credentials(login: { body: any; headers: Headers }): Record<string, string>
}

const bearer: Dialect = {
  register: '/auth/register',
  login: '/auth/login',
  profile: '/auth/profile',
  refresh: '/auth/refresh',
  credentials: ({ body }) => ({ authorization: `Bearer ${body.accessToken}` }),
}

const betterAuth: Dialect = {
  register: '/api/auth/sign-up/email',
  login: '/api/auth/sign-in/email',
  profile: '/api/auth/get-session',
  credentials: ({ headers }) => ({
    cookie: headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  }),
}

const empty: Dialect = { profile: '/', credentials: () => ({}) }

const secret = () => randomBytes(48).toString('base64url')

/** Refuses nobody for asking often: the peers have no limits, so ours are off as well. */
const UNLIMITED = { LOGIN_THROTTLE_LIMIT: '0', LOGIN_IP_LIMIT: '0', REGISTER_IP_LIMIT: '0' }

function product(name: string, title: string, env: Record<string, string>): Contestant {
  return {
    name,
    title,
    role: 'product',
    /* As `npm start` runs it. */
    command: ['--max-semi-space-size=4', 'bin/launch.js', 'serve'],
    env: {
      ...UNLIMITED,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'gatehouse-bench-')),
      LOG_LEVEL: 'warn',
      ...env,
    },
    dialect: bearer,
  }
}

function secrets() {
  const names = ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS']
  return Object.fromEntries(names.map((name) => [name, secret()]))
}

function peer(name: string, title: string, file: string, more: Partial<Contestant>): Contestant {
  const command = [join('benchmarks', file)]
  return { name, title, role: 'peer', command, env: {}, dialect: bearer, ...more }
}

export async function contestants(postgres: Postgres, redis: Redis): Promise<Contestant[]> {
  const own = async (name: string) => ({
    DATABASE_URL: await postgres.createDatabase(`bench_${name}`),
    ACCESS_SECRET: secret(),
    REFRESH_SECRET: secret(),
  })
  const onPostgres = async (name: string) => ({
    ...secrets(),
    DB_CONNECTION: 'pg',
    DATABASE_URL: await postgres.createDatabase(`bench_${name}`),
  })
  return [
    peer('empty', 'empty AdonisJS route', 'peers/adonis/server.js', {
      role: 'baseline',
      dialect: empty,
    }),
    product('gatehouse-sqlite', 'Gatehouse, SQLite', {}),
    product('gatehouse-pg', 'Gatehouse, Postgres', await onPostgres('gatehouse')),
    product('gatehouse-pg-redis', 'Gatehouse, Postgres and Redis', {
      ...(await onPostgres('gatehouse_redis')),
      STORE: 'redis',
      REDIS_URL: redis.url,
    }),
    peer('better-auth-pg', 'better-auth, Postgres', 'peers/better_auth/server.js', {
      env: await own('better_auth'),
      dialect: betterAuth,
    }),
    peer('better-auth-redis', 'better-auth, Postgres and Redis', 'peers/better_auth/server.js', {
      env: { ...(await own('better_auth_redis')), REDIS_URL: redis.url },
      dialect: betterAuth,
    }),
    peer('nestjs', 'NestJS 11, TypeORM, Postgres', 'build/nest/main.js', {
      env: await own('nestjs'),
    }),
    peer('express', 'Express 5, pg', 'peers/express/server.js', { env: await own('express') }),
  ]
}
