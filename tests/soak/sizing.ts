import { randomBytes, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { RedisConnection } from '#auth/store/redis/connection'
import { sessionKeyPrefix, sessionKeys } from '#auth/store/redis/keys'
import { toFields } from '#auth/store/redis/session_hash'
import { Backend } from '#tests/process/backend'
import { Product } from '#tests/process/product'
import { buildProduct } from './build.ts'

/*
 | `npm run sizing`: the size of a user and of a session, including indexes, measured on a real
 | Postgres and a real Redis with this many of each. `docs/deploy.md` quotes it.
 */

const COUNT = 50_000
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const HASH = `'$argon2id$v=19$m=19456,t=2,p=1$' || repeat('s', 22) || '$' || repeat('h', 43)`

buildProduct()
const backend = await Backend.withRedis()
const product = await Product.start(backend.settings)
await product.stop()

async function bytesPerRow(table: string, insert: string) {
  await backend.query(insert)
  await backend.query(`VACUUM FULL ${table}`)
  const [{ bytes }] = await backend.query(`SELECT pg_total_relation_size('${table}') AS bytes`)
  return Math.round(Number(bytes) / COUNT)
}

function someSession(userId: string) {
  const [id, now] = [randomUUID(), Date.now()]
  return {
    id,
    userId,
    clientId: null,
    deviceId: randomUUID(),
    deviceName: 'Chrome on Windows',
    ip: '198.51.100.200',
    userAgent: USER_AGENT,
    refreshHash: randomBytes(32).toString('base64url'),
    previousRefreshHash: null,
    rotatedAt: null,
    method: 'password',
    amr: ['pwd'],
    authenticatedAt: now,
    createdAt: now,
    lastActivityAt: now,
    expiresAt: now + 7 * 24 * 3_600_000,
  }
}

async function bytesPerSession() {
  const client = new Redis(backend.redis!.url, { enableAutoPipelining: true })
  const redis = new RedisConnection(client)
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))![1])
  const before = await used()
  for (let done = 0; done < COUNT; done += 1_000) {
    const starts = Array.from({ length: 1_000 }, () => {
      const session = someSession(randomUUID())
      const { id, userId, deviceId, createdAt, expiresAt } = session
      const settings = [id, sessionKeyPrefix(userId), deviceId, 50, createdAt, expiresAt]
      const keys = sessionKeys(userId, id)
      return redis.run('gatehouseStartSession', keys, [...settings, ...toFields(session)])
    })
    await Promise.all(starts)
  }
  const bytes = ((await used()) - before) / COUNT
  client.disconnect()
  return Math.round(bytes)
}

const userRow = await bytesPerRow(
  'users',
  `INSERT INTO users (id, email, username, password, password_changed_at, created_at, updated_at)
   SELECT gen_random_uuid(), 'some-user-' || n || '@mail.example.org', 'some user ' || n, ${HASH},
          1700000000000, 1700000000000 + n, 1700000000000
   FROM generate_series(1, ${COUNT}) AS n`
)
const sessionRow = await bytesPerRow(
  'sessions',
  `INSERT INTO sessions (id, user_id, device_id, device_name, ip, user_agent, refresh_hash,
                         method, amr, authenticated_at, created_at, last_activity_at, expires_at)
   SELECT gen_random_uuid(), id, gen_random_uuid(), 'Chrome on Windows', '198.51.100.200',
          '${USER_AGENT}', repeat('r', 43), 'password', 'pwd', created_at, created_at, created_at,
          created_at + 604800000
   FROM users`
)
const CIPHERTEXT = `repeat('c', 22) || '.' || repeat('c', length('${USER_AGENT}') * 4 / 3 + 60)`
const auditRow = await bytesPerRow(
  'audit_events',
  `INSERT INTO audit_events (id, occurred_at, action, outcome, actor, actor_id, target_id, details,
                             origin_key, origin, personal_key, personal, mac, sequence, hash, ip_hash)
   SELECT gen_random_uuid(), created_at, 'login.succeeded', 'success', 'user:' || id, id, id,
          '{"sessionId":"' || gen_random_uuid() || '","method":"password","mfa":false}',
          id, ${CIPHERTEXT}, id, repeat('c', 110), repeat('m', 43), row_number() OVER (),
          repeat('h', 43), substr(id::text, 1, 8)
   FROM users`
)
const redisSession = await bytesPerSession()

console.log(JSON.stringify({ rows: COUNT, userRow, sessionRow, auditRow, redisSession }, null, 2))
await product.remove()
await backend.remove()
process.exit(0)
