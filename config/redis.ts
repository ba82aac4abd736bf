import { defineConfig } from '@adonisjs/redis'
import type { RedisOptions } from 'ioredis'
import env from '#start/env'

/*
 | A request must never wait for a Redis that does not answer, and the connection must come
 | back by itself: the library's defaults do neither.
 */
const behaviour: RedisOptions = {
  /** A command given while there is no connection fails at once: the answer is 503, not a queue. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,

  /** A connection that is not made by then is tried again; a command unanswered by then has failed. */
  connectTimeout: 500,
  commandTimeout: 300,

  /** A server that was frozen or cut off is noticed and left. */
  socketTimeout: 2_000,
  keepAlive: 5_000,

  /** For ever, and often enough to be back a second after Redis is. */
  retryStrategy: (attempt) => Math.min(50 * attempt, 1_000),

  /** A server that was demoted says so; the next connection finds the one that leads. */
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
}

/** Where a URL such as `rediss://user:password@host:6380/1` leads. */
function parseUrl(url: string): RedisOptions {
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 6_379),
    username: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    db: Number(pathname.slice(1) || 0),
    ...(protocol === 'rediss:' && { tls: { servername: hostname } }),
  }
}

function parsePositions(places: string[]) {
  return places.map((place) => {
    const at = place.lastIndexOf(':')
    return { host: place.slice(0, at), port: Number(place.slice(at + 1)) }
  })
}

const server = parseUrl(env.get('REDIS_URL'))
const { username, password, tls } = server
const clusterNodes = parsePositions(env.get('REDIS_CLUSTER_NODES'))
const sentinels = parsePositions(env.get('REDIS_SENTINELS'))

/** Credentials and TLS come from `REDIS_URL` in each of the three arrangements. */
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
    redisOptions: { ...behaviour, username, password, tls },
  },
}

const sentinel: RedisOptions = {
  sentinels,
  name: env.get('REDIS_SENTINEL_NAME'),
  sentinelCommandTimeout: 300,
  sentinelRetryStrategy: (attempt) => Math.min(50 * attempt, 1_000),
  failoverDetector: true,
  username,
  password,
  db: server.db,
}

const single = { ...behaviour, ...(sentinels.length > 0 ? sentinel : server) }

/**
 * The store's connection sends the commands of one turn of the event loop together. The
 * limiter has another: it defines its command when it is first used, and a batch that was
 * begun before that would end the process (redis/ioredis#1931).
 */
function connection(enableAutoPipelining: boolean) {
  if (clusterNodes.length === 0) return { ...single, enableAutoPipelining }
  return { ...cluster, clusterOptions: { ...cluster.clusterOptions, enableAutoPipelining } }
}

export default defineConfig({
  connection: 'main',
  connections: { main: connection(false), store: connection(true) },
})
