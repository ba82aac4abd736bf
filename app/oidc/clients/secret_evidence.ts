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
import { addressKey, isRecent, lastAuthentication, type ClientAddress } from './client_addresses.ts'
import { isClientId } from './client_rows.ts'
import {
  CODE_COLUMNS,
  CODE_JOINS,
  hashRecordId,
  toCode,
  type RecordKey,
} from '#oidc/records/record_rows'

/* Reads the evidence on a secret and the version of the clients in one statement. */

export interface SecretEvidence extends ClientAddress {
  /** The number of wrong secrets from this address within the window. */
  wrong: number
  /** When this address last succeeded, in milliseconds; null if it never did. */
  last: number | null
}

export function keyOfPair({ clientId, ip }: ClientAddress) {
  return `client-secret:{${clientId}}:${hashAddress(ip)}`
}

/**
 * The evidence is undefined for a text that is no id, which Postgres may refuse to look up.
 * @param code is also read if the evidence comes from the database
 */
export async function findSecretEvidence(address: ClientAddress, code?: RecordKey) {
  if (isClientId(address.clientId)) return readWithCode(address, code)
  await ensureConfiguration(() => store.readConfiguration())
  return { evidence: undefined, found: undefined }
}

async function readWithCode(address: ClientAddress, code?: RecordKey) {
  if (env.get('STORE') !== 'redis') return readFromDatabase(address, code)
  return { evidence: await readFromRedis(address), found: undefined }
}

export async function readSecretEvidence(address: ClientAddress): Promise<SecretEvidence> {
  const { evidence } = await readWithCode(address)
  return evidence
}

interface Row {
  evidence_version: string
  evidence_points: number | string | null
  evidence_payload: string | null
}

const COLUMNS = `c.version AS evidence_version, l.points AS evidence_points,
  a.payload AS evidence_payload`

const JOINS = `
  LEFT JOIN rate_limits l ON l.key = ? AND (l.expire > ? OR l.expire IS NULL)
  LEFT JOIN oauth_records a ON a.kind = ? AND a.id_hash = ? AND a.expires_at > ?`

const EVIDENCE = `SELECT ${COLUMNS} FROM configuration_version c ${JOINS} WHERE c.id = 1`

const EVIDENCE_WITH_CODE = `
  SELECT ${CODE_COLUMNS}, ${COLUMNS} FROM configuration_version c ${JOINS}
  LEFT JOIN oauth_records code ON code.kind = ? AND code.id_hash = ? ${CODE_JOINS}
  WHERE c.id = 1`

async function readFromDatabase(address: ClientAddress, code?: RecordKey) {
  const [now, key] = [Date.now(), addressKey(address)]
  const bindings = [keyOfPair(address), now, key.kind, hashRecordId(key), now]
  const [sql, more] = code ? [EVIDENCE_WITH_CODE, [code.kind, hashRecordId(code)]] : [EVIDENCE, []]
  const [row] = await selectRows<Row>(db.connection(), sql, [...bindings, ...more])
  noteConfiguration(row.evidence_version)
  const { evidence_payload: payload, evidence_points: points } = row
  const last = payload === null ? null : Number(JSON.parse(payload).at)
  const evidence: SecretEvidence = { ...address, wrong: Number(points ?? 0), last }
  return { evidence, found: code && { id: code.id, ...toCode(row) } }
}

/** Last successes, valid for a while: such an address is exempt from the limit of all others. */
const known = new LRUCache<string, number>({ max: 10_000, ttl: 3_600_000 })

async function readFromRedis(address: ClientAddress): Promise<SecretEvidence> {
  await ensureConfiguration(() => store.readConfiguration())
  const wrong = await countInRedis(address)
  const key = addressKey(address).id
  const kept = known.get(key)
  const isKept = kept !== undefined && isRecent(kept)
  const last = isKept ? kept : await lastAuthentication(address)
  if (last !== null && !isKept) known.set(key, last)
  return { ...address, wrong, last }
}

/** Sends one command, where the limiter would send four. */
async function countInRedis(address: ClientAddress) {
  const redis = await app.container.make('redis')
  const main = redis.connection('main' as keyof RedisConnections)
  return Number((await main.get(`gatehouse:limit:${keyOfPair(address)}`)) ?? 0)
}

/**
 * For work `underOneConfiguration`. Uses one command of Redis, which reads no version, or the rows
 * of the database. Returns null if more has to be asked.
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
