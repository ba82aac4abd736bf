import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { PASSWORD, someEmail } from '#tests/support/users'
import { Postgres } from '#tests/servers/postgres'
import { Redis } from '#tests/servers/redis'
import { BUSY_MS, type Product } from './product.ts'

const KEYRINGS = ['APP_KEY', 'JWT_ACCESS_SECRETS', 'JWT_REFRESH_SECRETS', 'MFA_ENCRYPTION_KEYS']

/** All requests of a test come from one address, so that the request limits are off. */
export const UNLIMITED = { REGISTER_IP_LIMIT: '0', LOGIN_IP_LIMIT: '0', LOGIN_THROTTLE_LIMIT: '0' }

/** The settings that all processes of one installation share. */
export function sharedSettings(databaseUrl: string) {
  const secrets = KEYRINGS.map((name) => [name, randomBytes(48).toString('base64url')])
  return {
    ...(Object.fromEntries(secrets) as Record<string, string>),
    ...UNLIMITED,
    DB_CONNECTION: 'pg',
    DATABASE_URL: databaseUrl,
  }
}

/** A commit survives the kill of a server, but not a power cut. No test cuts the power. */
const UNSYNCED = { fsync: 'off', full_page_writes: 'off' }

/** Real servers, shared by any number of products. */
export class Backend {
  private constructor(
    readonly postgres: Postgres,
    readonly redis: Redis | null,
    readonly settings: Record<string, string>
  ) {}

  static async withPostgres(settings: Record<string, string | number> = {}) {
    const postgres = await Postgres.start({
      settings: { ...UNSYNCED, ...settings },
      isDurable: true,
    })
    return new Backend(postgres, null, sharedSettings(await postgres.createDatabase('gatehouse')))
  }

  static async withRedis(flags: string[] = []) {
    const { postgres, settings } = await Backend.withPostgres()
    const redis = await Redis.start(flags)
    return new Backend(postgres, redis, { ...settings, STORE: 'redis', REDIS_URL: redis.url })
  }

  query(sql: string) {
    return this.postgres.query(sql, 'gatehouse')
  }

  async remove() {
    await this.redis?.remove()
    await this.postgres.remove()
  }
}

/** Makes a new user with a session, and returns both as the client holds them. */
export async function newcomer(product: Product) {
  const { user, id } = await register(product)
  return { ...user, id, ...(await signIn(product, user)) }
}

/** Uses another address after a 503, because the first address may be taken by then. */
async function register(product: Product) {
  const deadline = Date.now() + BUSY_MS
  for (;;) {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { status, body } = await product.request('/auth/register', { body: user })
    if (status !== 503 || Date.now() > deadline) return { user, id: body.id as string }
    await wait(200)
  }
}

export async function signIn(product: Product, { email }: { email: string }) {
  const body = { email, password: PASSWORD }
  const { body: tokens } = await product.ask('/auth/login', { body })
  return { token: tokens.accessToken as string, refreshToken: tokens.refreshToken as string }
}

/** Requests the caller's profile, and measures the time of the answer. */
export async function timedProfile(product: Product, token: string) {
  const startedAt = performance.now()
  const { status, response } = await product.request('/auth/profile', { token })
  const retryAfter = Number(response.headers.get('retry-after'))
  return { status, retryAfter, tookMs: performance.now() - startedAt }
}

export async function profileStatus(product: Product, token: string) {
  const { status } = await product.request('/auth/profile', { token })
  return status
}

/** Returns the same on a machine that may be busy. */
export async function patientProfileStatus(product: Product, token: string) {
  const { status } = await product.ask('/auth/profile', { token })
  return status
}

/** Returns how long it takes until the profile answers with this status. */
export async function profileAnswers(product: Product, token: string, status: number) {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 15_000) {
    if ((await profileStatus(product, token)) === status) return performance.now() - startedAt
    await wait(20)
  }
  throw new Error(`The profile did not answer ${status}.\n${product.output.join('')}`)
}
