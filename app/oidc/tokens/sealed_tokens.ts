import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'
import tokens from '#config/tokens'
import { VERIFIED_TOKENS } from '#auth/signing_keys/claims'
import { Keyring } from '#auth/tokens/keyring'
import { decodeToken, encodeToken, FIXED_BYTES, type SealedToken } from './token_bytes.ts'

/*
 | Access tokens for `/oauth/userinfo` are opaque to applications. They contain encrypted data, so
 | that no table is read. Their own keys are derived from the secrets of other access tokens.
 */

/** Scanners find a published token by this prefix. */
const PREFIX = 'gho_'

const CIPHER = 'aes-256-gcm'
const KEY_ID_BYTES = 6
const NONCE_BYTES = 12
const TAG_BYTES = 16
const keyring = new Keyring(tokens.accessSecrets)

const keys = new Map(keyring.entries().map(([kid, secret]) => [kid, keyOf(secret)]))

/** With bytes instead of a key object a token takes five times as long. */
function keyOf(secret: string) {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'opaque access token', 32)))
}

export function sealToken(token: Omit<SealedToken, 'tokenId'>) {
  const { kid } = keyring
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keys.get(kid)!, nonce)
  const content = Buffer.concat([cipher.update(encodeToken(token)), cipher.final()])
  const parts = [Buffer.from(kid, 'base64url'), nonce, content, cipher.getAuthTag()]
  return PREFIX + Buffer.concat(parts).toString('base64url')
}

/** Decrypted tokens: each token is decrypted only once. */
const opened = new LRUCache<string, SealedToken>({ max: VERIFIED_TOKENS })

export function isSealed(text: string) {
  return text.startsWith(PREFIX)
}

/** Returns null for any text but a genuine, current token. */
export function openToken(text: string): SealedToken | null {
  if (!isSealed(text)) return null
  const token = opened.get(text) ?? decrypt(text)
  if (!token || token.exp * 1_000 <= Date.now()) return null
  opened.set(text, token)
  return token
}

function decrypt(text: string) {
  const sealed = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const isCanonical = PREFIX + sealed.toString('base64url') === text
  const kid = sealed.subarray(0, KEY_ID_BYTES).toString('base64url')
  const key = keys.get(kid)
  const overhead = KEY_ID_BYTES + NONCE_BYTES + FIXED_BYTES + TAG_BYTES
  if (!isCanonical || !key || sealed.length < overhead) return null
  const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const content = decipher.update(sealed.subarray(KEY_ID_BYTES + NONCE_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    return null
  }
  return decodeToken(content)
}
