import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import type { Postgres } from '../tests/servers/postgres.ts'
import type { Redis } from '../tests/servers/redis.ts'
import { REDIRECT_URI, type Clients, type OpenId } from './application.ts'

/*
 | The services that are measured. All of them hash with the same parameters, use the same
 | Postgres and Redis, and have their limits on requests off; nothing else is tuned.
 */

export const OPERATIONS = ['profile', 'refresh', 'login'] as const
export type OperationName = (typeof OPERATIONS)[number]

export interface Target {
  name: string
  /** The name of the target in the tables. */
  title: string
  /** `provider`: an OpenID provider and nothing else. */
  role: 'product' | 'baseline' | 'peer' | 'provider'
  /** Node unless given. */
  program?: string
  command: string[]
  env: Record<string, string>
  /** The variables that name its port and its address, if `PORT` and `APP_URL` do not. */
  portVariables?: { port: string; url: string }
  /** A path that answers once it has started, `/health` unless given. */
  health?: string
  /** How long its first load of each kind takes, in seconds; one unless given. */
  warmUpSeconds?: number
  api: Api
  openid?: OpenId
  /** Its database on the Postgres of the run. */
  database?: string
}

/** The paths of a service for the operations that are measured. */
export interface Api {
  register?: string
  login?: string
  profile: string
  refresh?: string
  /** The headers that authenticate a request after a login. */
  credentials(login: { body: any; headers: Headers }): Record<string, string>
}

const bearer: Api = {
  register: '/auth/register',
  login: '/auth/login',
  profile: '/auth/profile',
  refresh: '/auth/refresh',
  credentials: ({ body }) => ({ authorization: `Bearer ${body.accessToken}` }),
}

const betterAuth: Api = {
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

const empty: Api = { profile: '/', credentials: () => ({}) }

const secret = () => randomBytes(48).toString('base64url')

/** The peers limit no requests, so the limits of the product are off as well. */
const UNLIMITED = {
  LOGIN_THROTTLE_LIMIT: '0',
  LOGIN_IP_LIMIT: '0',
  REGISTER_IP_LIMIT: '0',
  TRUSTED_PROXIES: '127.0.0.1',
}

/** The administrator who changes users when audited changes are measured. */
export const ADMIN = {
  email: 'admin@example.org',
  password: `${randomBytes(18).toString('base64url')}aA1!`,
}

function product(name: string, title: string, env: Record<string, string>): Target {
  return {
    name,
    title,
    role: 'product',
    database: databaseOf(env),
    /* As `npm start` runs it. */
    command: ['--max-semi-space-size=4', 'bin/launch.js', 'serve'],
    env: {
      ...UNLIMITED,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      DATA_DIR: temporaryFolder('bench'),
      LOG_LEVEL: 'warn',
      ...env,
    },
    api: bearer,
    openid: {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      introspection: '/oauth/introspect',
    },
  }
}

/** Returns clients for a provider that has its clients from the start. */
export function newClients(): Clients {
  const client = (id: string) => ({ id, secret: secret() })
  const machine = client('machine')
  return { RS256: client('rs256'), ES256: client('es256'), lasting: client('lasting'), machine }
}

/** The library of the product's own provider, with everything in memory. */
function providerAlone(): Target {
  const clients = newClients()
  return {
    ...peer('oidc-provider', 'oidc-provider alone, in memory', 'peers/oidc_provider/server.js', {}),
    role: 'provider',
    env: { CLIENTS: JSON.stringify(clients), REDIRECT_URI },
    openid: {
      authorize: '/auth',
      token: '/token',
      userinfo: '/me',
      introspection: '/token/introspection',
      clients,
    },
  }
}

function secrets() {
  const names = ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS']
  return Object.fromEntries(names.map((name) => [name, secret()]))
}

function peer(name: string, title: string, file: string, more: Partial<Target>): Target {
  const command = [join('benchmarks', file)]
  const database = databaseOf(more.env ?? {})
  return { name, title, role: 'peer', command, env: {}, api: bearer, database, ...more }
}

function databaseOf({ DATABASE_URL }: Record<string, string>) {
  return DATABASE_URL && new URL(DATABASE_URL).pathname.slice(1)
}

/** @param algorithm by which the product signs its access tokens */
export async function targets(
  postgres: Postgres,
  redis: Redis,
  algorithm = 'HS256'
): Promise<Target[]> {
  const signing = { ACCESS_TOKEN_ALGORITHM: algorithm }
  const own = async (name: string) => ({
    DATABASE_URL: await postgres.createDatabase(`bench_${name}`),
    ACCESS_SECRET: secret(),
    REFRESH_SECRET: secret(),
  })
  const onPostgres = async (name: string) => ({
    ...secrets(),
    ...signing,
    DB_CONNECTION: 'pg',
    DATABASE_URL: await postgres.createDatabase(`bench_${name}`),
  })
  return [
    peer('empty', 'empty AdonisJS route', 'peers/adonis/server.js', {
      role: 'baseline',
      api: empty,
    }),
    product('gatehouse-sqlite', 'Gatehouse, SQLite', signing),
    product('gatehouse-pg', 'Gatehouse, Postgres', await onPostgres('gatehouse')),
    product('gatehouse-pg-redis', 'Gatehouse, Postgres and Redis', {
      ...(await onPostgres('gatehouse_redis')),
      STORE: 'redis',
      REDIS_URL: redis.url,
    }),
    peer('better-auth-pg', 'better-auth, Postgres', 'peers/better_auth/server.js', {
      env: await own('better_auth'),
      api: betterAuth,
    }),
    peer('better-auth-redis', 'better-auth, Postgres and Redis', 'peers/better_auth/server.js', {
      env: { ...(await own('better_auth_redis')), REDIS_URL: redis.url },
      api: betterAuth,
    }),
    peer('nestjs', 'NestJS 11, TypeORM, Postgres', 'build/nest/main.js', {
      env: await own('nestjs'),
    }),
    peer('express', 'Express 5, pg', 'peers/express/server.js', { env: await own('express') }),
    providerAlone(),
  ]
}
