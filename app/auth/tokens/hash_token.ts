import { hash } from 'node:crypto'

/**
 * A stolen store has no token that works. Tokens are long and random: a fast, unsalted hash is
 * enough.
 */
export function hashToken(token: string) {
  return hash('sha256', token, 'base64url')
}
