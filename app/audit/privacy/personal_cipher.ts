import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import app from '@adonisjs/core/services/app'
import encryption from '@adonisjs/core/services/encryption'
import { drivers, type BaseDriver } from '@adonisjs/core/encryption'
import settings from '#config/audit'

/*
 | AES-256-GCM under the key of one user, which is encrypted under `APP_KEY`. A copy of the database
 | alone reveals nothing, and a deleted key ends all reading.
 */

type Driver = BaseDriver & {
  encrypt(value: unknown, options: { purpose: string }): string
  decrypt<T>(value: string, purpose: string): T | null
}

const { driver } = await drivers.aes256gcm({ id: 'audit', keys: [] }).resolver(app)

export interface StoredKey {
  id: string
  /** Encrypted, and bound to its id. */
  secret: string
}

const purposeOf = (id: string) => `audit key ${id}`

export function newSecret(id: string) {
  const secret = randomBytes(32).toString('base64url')
  return encryption.use('audit').encrypt(secret, { purpose: purposeOf(id) })
}

/** Ciphers by encrypted secret, so that only a reader of the key row gets the cipher. */
const ciphers = new LRUCache<string, Driver>({ max: settings.cachedKeys })

/** Returns null if `APP_KEY` no longer contains the key that encrypted the secret. */
function cipherOf({ id, secret }: StoredKey) {
  const known = ciphers.get(secret)
  if (known) return known
  const key = encryption.use('audit').decrypt<string>(secret, purposeOf(id))
  if (!key) return null
  const cipher = driver(key) as Driver
  ciphers.set(secret, cipher)
  return cipher
}

export const isReadable = (key: StoredKey) => cipherOf(key) !== null

/** Binds a ciphertext to its event and column, so that an attacker cannot move it. */
interface Place {
  eventId: string
  column: 'origin' | 'personal'
}

const placeOf = ({ eventId, column }: Place) => `${eventId} ${column}`

export function encryptFor(key: StoredKey, value: object, place: Place) {
  return cipherOf(key)?.encrypt(value, { purpose: placeOf(place) }) ?? null
}

export function decryptFor<T extends object>(key: StoredKey, value: string, place: Place) {
  return cipherOf(key)?.decrypt<T>(value, placeOf(place)) ?? null
}
