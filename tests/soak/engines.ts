import { Backend, sharedSettings } from '#tests/process/backend'
import { PgBouncer } from '#tests/servers/pgbouncer'
import { Postgres } from '#tests/servers/postgres'
import { RedisCluster } from '#tests/servers/redis_cluster'
import { RedisSentinel } from '#tests/servers/redis_sentinel'
import { TcpProxy } from '#tests/servers/tcp_proxy'

/** The servers of an installation as `docs/deploy.md` describes them, with one part that fails over. */
export interface Engine {
  settings: Record<string, string>
  query: (sql: string) => Promise<Record<string, any>[]>
  /** Resolves when the part that takes over answers. */
  failOver: () => Promise<unknown>
  /** Brings back what failed, so that it can take over the next time. */
  restore: () => Promise<unknown>
  remove: () => Promise<unknown>
}

/** In turn, Postgres crashes behind the pooler, and the pooler is killed. */
async function pgbouncer(): Promise<Engine> {
  const backend = await Backend.withPostgres()
  let pooler = await PgBouncer.start(backend.postgres)
  let isPoolerNext = false
  return {
    settings: { ...backend.settings, DATABASE_URL: pooler.url('gatehouse') },
    query: (sql) => backend.query(sql),
    async failOver() {
      if (isPoolerNext) pooler = await pooler.restart()
      else {
        await backend.postgres.stop('SIGQUIT')
        await backend.postgres.resume()
      }
      isPoolerNext = !isPoolerNext
    },
    restore: async () => {},
    async remove() {
      await pooler.remove()
      await backend.remove()
    },
  }
}

async function sentinel(): Promise<Engine> {
  const [backend, group] = [await Backend.withPostgres(), await RedisSentinel.start()]
  return {
    settings: { ...backend.settings, ...group.settings },
    query: (sql) => backend.query(sql),
    failOver: () => group.failOver(),
    restore: () => group.rejoin(),
    async remove() {
      await group.remove()
      await backend.remove()
    },
  }
}

async function cluster(): Promise<Engine> {
  const backend = await Backend.withPostgres()
  const group = await RedisCluster.start({ withReplicas: true })
  let index = 0
  return {
    settings: { ...backend.settings, ...group.settings },
    query: (sql) => backend.query(sql),
    failOver: () => group.failOver(index),
    async restore() {
      await group.rejoin(index)
      index = (index + 1) % group.nodes.length
    },
    async remove() {
      await group.remove()
      await backend.remove()
    },
  }
}

/** The primary waits for its standby, so that a failover loses nothing (`docs/high-availability.md`). */
async function standby(): Promise<Engine> {
  let primary = await Postgres.start({ isDurable: true })
  await primary.createDatabase('gatehouse')
  let follower = await primary.startStandby()
  await primary.waitForStandby()
  const proxy = await TcpProxy.start(primary.port)
  const lost: Postgres[] = []
  return {
    settings: sharedSettings(`postgres://gatehouse@127.0.0.1:${proxy.port}/gatehouse`),
    query: (sql) => primary.query(sql, 'gatehouse'),
    async failOver() {
      await primary.stop('SIGQUIT')
      await follower.promote()
      lost.push(primary)
      primary = follower
      proxy.leadTo(primary.port)
    },
    async restore() {
      follower = await primary.startStandby()
      await primary.waitForStandby()
    },
    async remove() {
      proxy.close()
      for (const server of new Set([follower, primary, ...lost])) await server.remove()
    },
  }
}

export const ENGINES: Record<string, () => Promise<Engine>> = {
  pgbouncer,
  sentinel,
  cluster,
  standby,
}
