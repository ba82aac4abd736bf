import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import settings from '#config/oidc'
import { hashToken } from '#auth/tokens/hash_token'
import type { OAuthClient } from './client.ts'

/** 256 random bits cannot be guessed: a fast hash is enough. */
export function newSecret() {
  return `ghs_${randomBytes(32).toString('base64url')}`
}

/** A form that is sent twice makes one secret: both answers show it. */
export function secretOfForm(seed: string, id: string) {
  return `ghs_${createHmac('sha256', seed).update(id).digest('base64url')}`
}

export function hashSecret(secret: string) {
  return hashToken(`client:${secret}`)
}

export type Secrets = Pick<OAuthClient, 'secretHash' | 'previousSecretHash' | 'previousSecretUntil'>

/** The current secret stays good for a day, so that no request fails meanwhile. */
export function rotated(client: OAuthClient, secret: string, now: number): OAuthClient {
  return {
    ...client,
    secretHash: hashSecret(secret),
    previousSecretHash: client.secretHash,
    previousSecretUntil: client.secretHash === null ? null : now + settings.previousSecretMs,
    updatedAt: now,
  }
}

export function isSecretOf(client: Secrets, secret: string, now = Date.now()) {
  const { secretHash, previousSecretHash, previousSecretUntil } = client
  const isFormerGood = previousSecretUntil !== null && previousSecretUntil > now
  const accepted = [secretHash, isFormerGood ? previousSecretHash : null]
  const presented = Buffer.from(hashSecret(secret))
  return accepted.some((hash) => hash !== null && timingSafeEqual(Buffer.from(hash), presented))
}
