import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { hashPassword, verifyPassword } from '../argon2.js'

/*
 | better-auth on Postgres, and with `REDIS_URL` on Redis as its secondary storage, as its
 | documentation sets it up; its limiter is off, as for every target.
 */

const { PORT, DATABASE_URL, ACCESS_SECRET, REDIS_URL } = process.env

function secondaryStorage(redis) {
  return {
    get: (key) => redis.get(key),
    set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
    delete: (key) => redis.del(key),
  }
}

const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: ACCESS_SECRET,
  database: new pg.Pool({ connectionString: DATABASE_URL }),
  ...(REDIS_URL && { secondaryStorage: secondaryStorage(new Redis(REDIS_URL)) }),
  emailAndPassword: {
    enabled: true,
    password: {
      hash: hashPassword,
      verify: ({ hash, password }) => verifyPassword(hash, password),
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
const handle = toNodeHandler(betterAuth(options))

createServer((request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}')
  return handle(request, response)
}).listen(Number(PORT), '127.0.0.1')
