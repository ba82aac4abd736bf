import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import settings from '#config/oidc'
import { isBlocked } from '#auth/passwords/blocklist'
import { hashToken } from '#auth/tokens/hash_token'
import type { OAuthClient } from './client.ts'

/** 256 random bits cannot be guessed: a fast hash is enough. */
export function newSecret() {
  return `ghs_${randomBytes(32).toString('base64url')}`
}

/** A form that is sent twice makes one secret: both answers show it. */
export function secretFor(id: string, seed?: string) {
  return seed ? `ghs_${createHmac('sha256', seed).update(id).digest('base64url')}` : newSecret()
}

/** Only a fast hash protects the secret, so a text that is guessed first must not pass. */
export function isStrongSecret(secret: string) {
  const isPrintable = /^[\x21-\x7e](?:[\x20-\x7e]{30,254})[\x21-\x7e]$/.test(secret)
  return isPrintable && new Set(secret).size >= 8 && !isGuessedFirst(secret)
}

/** A known password is no better when it is repeated until it is long enough. */
function isGuessedFirst(secret: string) {
  const [, repeated] = /^(.+?)\1+$/.exec(secret) ?? []
  return [secret, repeated ?? secret].some(isBlocked)
}

export function hashSecret(secret: string) {
  return hashToken(`client:${secret}`)
}

export type Secrets = Pick<
  OAuthClient,
  'secretHash' | 'previousSecretHash' | 'previousSecretUntil' | 'secretDigest'
>

/** The current secret stays valid for a day, so that no request fails before it is replaced. */
export function rotated(client: OAuthClient, secret: string, now: number): OAuthClient {
  return {
    ...client,
    secretHash: hashSecret(secret),
    secretDigest: null,
    previousSecretHash: client.secretHash,
    previousSecretUntil: client.secretHash === null ? null : now + settings.previousSecretMs,
    updatedAt: now,
  }
}

export function withoutPrevious(client: OAuthClient): OAuthClient {
  return { ...client, previousSecretHash: null, previousSecretUntil: null }
}

export function withoutSecrets(client: OAuthClient): OAuthClient {
  return { ...withoutPrevious(client), secretHash: null, secretDigest: null }
}

export function isSecretOf(client: Secrets, secret: string, now = Date.now()) {
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil > now
  const accepted = [secretHash, isPreviousValid ? previousSecretHash : null]
  const presented = Buffer.from(hashSecret(secret))
  return accepted.some((hash) => hash !== null && timingSafeEqual(Buffer.from(hash), presented))
}
