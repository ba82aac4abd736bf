import { hash } from 'node:crypto'

/** A stolen hash is not a token. A fast, unsalted hash is enough for long, random tokens. */
export function hashToken(token: string) {
  return hash('sha256', token, 'base64url')
}
