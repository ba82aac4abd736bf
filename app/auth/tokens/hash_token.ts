import { hash } from 'node:crypto'

/** What the store keeps of a token: a leaked store yields no token that works. */
export function hashToken(token: string) {
  return hash('sha256', token, 'base64url')
}
