import { isIP } from 'node:net'
import { defineConfig } from '@adonisjs/redis'
import type { RedisOptions } from 'ioredis'
import env from '#start/env'

/*
 | A request must not wait for a Redis that does not answer, and the connection must be
 | restored by itself. The defaults of ioredis do neither. All times are in milliseconds.
 */
const connectionOptions: RedisOptions = {
  /** A command without a connection fails at once: the client is answered 503 and not queued. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,

  /** A connection that is not open after that time is tried again; an unanswered command fails. */
  connectTimeout: 500,
  commandTimeout: 300,

  /** The connection to a server that is frozen or cut off is closed after that time. */
  socketTimeout: 2_000,
  keepAlive: 5_000,

  /** Without end, and often enough that the store works again a second after Redis does. */
  retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),

  /** A master that was demoted answers READONLY; a new connection finds the new master. */
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
}

/**
 * The options of a URL such as `rediss://user:password@host:6380/1`. Certificates carry the
 * name in it, of all servers of a group alike; without a name, each carries its own address.
 */
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

/** Credentials of the servers and TLS come from `REDIS_URL` in all three cases. */
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
  /** Sentinels have users of their own; one without a password would refuse that of the servers. */
  sentinelUsername: sentinels.username,
  sentinelPassword: sentinels.password,
  sentinelCommandTimeout: 300,
  sentinelRetryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  failoverDetector: true,
  username,
  password,
  db: server.db,
  /**
   * ioredis leaves both off although `tls` is there: the password would travel in clear, and
   * an attacker on the way could answer as a sentinel and name a server of their own.
   */
  ...(tls && { tls, enableTLSForSentinelMode: true, sentinelTLS: tls }),
}

const single = { ...connectionOptions, ...(sentinels.servers.length > 0 ? sentinel : server) }

/**
 * The connection of the store sends the commands of one turn of the event loop as one
 * pipeline. The limiter has a connection without pipelines: it defines its command at its
 * first use, and a pipeline that was begun before ends the process (redis/ioredis#1931).
 */
function connection(enableAutoPipelining: boolean) {
  if (clusterNodes.length === 0) return { ...single, enableAutoPipelining }
  return { ...cluster, clusterOptions: { ...cluster.clusterOptions, enableAutoPipelining } }
}

export default defineConfig({
  connection: 'main',
  connections: { main: connection(false), store: connection(true) },
})
