import { hash } from 'node:crypto'

/**
 * The hash under which a token is stored, so that an attacker who reads the store gets no
 * token that works. Tokens are random and long: a fast hash without a salt is enough.
 */
export function hashToken(token: string) {
  return hash('sha256', token, 'base64url')
}
