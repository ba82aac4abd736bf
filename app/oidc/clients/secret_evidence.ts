import { LRUCache } from 'lru-cache'
import type { RedisConnections } from '@adonisjs/redis/types'
import db from '@adonisjs/lucid/services/db'
import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { hashAddress } from '#auth/lockout/count_keys'
import store from '#auth/store/service'
import { ensureConfiguration, noteConfiguration } from '#database/configuration_version'
import { selectRows } from '#database/select_rows'
import type { ClientAddressRow } from '#auth/store/database/client_address_row'
import { addressKey, lastAuthentication, type ClientAddress } from './client_addresses.ts'
import { isClientId } from './client_rows.ts'
import { hashRecordId } from '#oidc/records/record_rows'

/* What decides on a right secret, and the version of the clients, in one statement. */

export interface SecretEvidence extends ClientAddress {
  /** Wrong secrets of this address within the window. */
  wrong: number
  /** When this address succeeded last, in milliseconds; null for never. */
  last: number | null
}

export function keyOfPair({ clientId, ip }: ClientAddress) {
  return `client-secret:{${clientId}}:${hashAddress(ip)}`
}

/** Undefined for what is no id, which Postgres may refuse to look up. */
export async function findSecretEvidence(address: ClientAddress) {
  if (isClientId(address.clientId)) return readSecretEvidence(address)
  await ensureConfiguration(() => store.readConfiguration())
  return undefined
}

export function readSecretEvidence(address: ClientAddress): Promise<SecretEvidence> {
  return env.get('STORE') === 'redis' ? readFromRedis(address) : readFromDatabase(address)
}

interface Row {
  version: string
  points: number | string | null
  payload: string | null
}

const EVIDENCE = `
  SELECT c.version, l.points, a.payload FROM configuration_version c
  LEFT JOIN rate_limits l ON l.key = ? AND (l.expire > ? OR l.expire IS NULL)
  LEFT JOIN oauth_records a ON a.kind = ? AND a.id_hash = ? AND a.expires_at > ?
  WHERE c.id = 1`

async function readFromDatabase(address: ClientAddress): Promise<SecretEvidence> {
  const [now, key] = [Date.now(), addressKey(address)]
  const bindings = [keyOfPair(address), now, key.kind, hashRecordId(key), now]
  const [row] = await selectRows<Row>(db.connection(), EVIDENCE, bindings)
  noteConfiguration(row.version)
  const last = row.payload === null ? null : Number(JSON.parse(row.payload).at)
  return { ...address, wrong: Number(row.points ?? 0), last }
}

/** Stays true for a while: an address that succeeded is exempt from the limit of all others. */
const known = new LRUCache<string, number>({ max: 10_000, ttl: 3_600_000 })

async function readFromRedis(address: ClientAddress): Promise<SecretEvidence> {
  await ensureConfiguration(() => store.readConfiguration())
  const wrong = await countInRedis(address)
  const key = addressKey(address).id
  const last = known.get(key) ?? (await lastAuthentication(address))
  if (last !== null) known.set(key, last)
  return { ...address, wrong, last }
}

/** One command; what the limiter would send are four. */
async function countInRedis(address: ClientAddress) {
  const redis = await app.container.make('redis')
  const main = redis.connection('main' as keyof RedisConnections)
  return Number((await main.get(`gatehouse:limit:${keyOfPair(address)}`)) ?? 0)
}

/**
 * For work `underOneConfiguration`: by one command of Redis, which reads no version, or by the rows
 * of the database. Null where more has to be asked.
 */
export async function findQuickEvidence(address: ClientAddress): Promise<SecretEvidence | null> {
  const key = addressKey(address)
  if (env.get('STORE') === 'redis') {
    const last = known.get(key.id)
    return last === undefined ? null : { ...address, wrong: await countInRedis(address), last }
  }
  const keys = { countKey: keyOfPair(address), kind: key.kind, idHash: hashRecordId(key) }
  return toEvidence(address, await store.findClientAddress(keys))
}

function toEvidence(address: ClientAddress, row: ClientAddressRow): SecretEvidence {
  const { points, expire, payload, expires_at: expiresAt } = row
  const now = Date.now()
  const isCounted = expire === null || Number(expire) > now
  const isKnown = payload !== null && Number(expiresAt) > now
  const last = isKnown ? Number(JSON.parse(payload).at) : null
  return { ...address, wrong: isCounted ? Number(points ?? 0) : 0, last }
}
