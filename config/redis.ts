import { isIP } from 'node:net'
import type { RedisConnectionsList } from '@adonisjs/redis/types'
import type { RedisOptions } from 'ioredis'
import env from '#start/env'

const connectionOptions: RedisOptions = {
  /** A command without a connection fails immediately, so that the client gets 503. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,

  connectTimeout: 500,
  commandTimeout: 300,

  socketTimeout: 2_000,
  keepAlive: 5_000,

  retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),

  /** A demoted master answers READONLY; a new connection finds the new master. */
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
}

function parseUrl(url: string): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: Number(port || 6_379),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    db: Number(pathname.slice(1) || 0),
    ...(protocol === 'rediss:' && { tls: isIP(host) ? {} : { servername: host } }),
  }
}

const server = parseUrl(env.get('REDIS_URL'))
const { username, password, tls } = server
const clusterNodes = env.get('REDIS_CLUSTER_NODES')
const sentinels = env.get('REDIS_SENTINELS')

const cluster = {
  clusters: clusterNodes,
  clusterOptions: {
    enableOfflineQueue: false,
    slotsRefreshTimeout: 1_000,
    slotsRefreshInterval: 5_000,
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 50,
    maxRedirections: 4,
    clusterRetryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
    redisOptions: { ...connectionOptions, username, password, tls },
  },
}

const sentinel: RedisOptions = {
  sentinels: sentinels.servers,
  name: env.get('REDIS_SENTINEL_NAME'),
  /** Sentinels have their own users, and a sentinel without a password refuses any password. */
  sentinelUsername: sentinels.username,
  sentinelPassword: sentinels.password,
  sentinelCommandTimeout: 300,
  sentinelRetryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  failoverDetector: true,
  username,
  password,
  db: server.db,
  /** By default ioredis sends the password to sentinels in clear, and an attacker could pose as one. */
  ...(tls && { tls, enableTLSForSentinelMode: true, sentinelTLS: tls }),
}

const single = { ...connectionOptions, ...(sentinels.servers.length > 0 ? sentinel : server) }

/** The limiter uses no pipelines: a pipeline before its first command ends the process (redis/ioredis#1931). */
function connection(enableAutoPipelining: boolean) {
  if (clusterNodes.length === 0) return { ...single, enableAutoPipelining }
  return { ...cluster, clusterOptions: { ...cluster.clusterOptions, enableAutoPipelining } }
}

/** `defineConfig` would load the client of Redis, which no other store needs. */
export default {
  connection: 'main',
  connections: { main: connection(false), store: connection(true) },
} satisfies { connection: string; connections: RedisConnectionsList }
