import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'
import { queueSecretHash } from '#auth/passwords/hash_queue'
import { hashSecret, isStrongSecret, type Secrets } from './secrets.ts'
import { isUnchanged } from './unchanged_client.ts'

/*
 | Hashes of secrets that other products made. The first right secret replaces the hash by our own
 | fast hash, unless the secret is weak: a thief of the database would guess it.
 */

/** Returns true if the text is a hash that can be verified, and not a secret itself. */
export function isSecretDigest(text: string) {
  return text.startsWith('$') && findHashFormat(text) !== undefined
}

export function hasOnlyDigest(secrets: Secrets): secrets is Secrets & { secretDigest: string } {
  return secrets.secretHash === null && secrets.secretDigest !== null
}

/** @throws E_BUSY while too many secrets wait */
export async function verifyDigest(clientId: string, secrets: Secrets, candidates: string[]) {
  if (!hasOnlyDigest(secrets)) return false
  const { secretDigest } = secrets
  const secret = await findRight(secretDigest, candidates)
  if (secret === undefined) return false
  if (!(await isUnchanged(clientId, { secret_digest: secretDigest }))) return false
  if (isStrongSecret(secret)) await replace(clientId, secretDigest, secret)
  else logger.warn({ clientId }, 'the imported secret of a client is weak: give it another one')
  return true
}

/** Hashes the decoded and the sent form one after the other: they are the same for most secrets. */
async function findRight(digest: string, candidates: string[]) {
  const format = findHashFormat(digest)
  if (!format) return undefined
  const isRight = (secret: string) => format.verify(digest, secret).catch(() => false)
  for (const secret of new Set(candidates))
    if (await queueSecretHash(() => isRight(secret))) return secret
  return undefined
}

/** Keeps the digest, so that the configuration file that gave it makes no change. */
async function replace(clientId: string, secretDigest: string, secret: string) {
  const waiting = { client_id: clientId, secret_digest: secretDigest }
  const row = db.from('oauth_clients').where(waiting).whereNull('secret_hash')
  await row.update({ secret_hash: hashSecret(secret), updated_at: Date.now() })
}
