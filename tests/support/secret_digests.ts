import { pbkdf2Sync, randomBytes } from 'node:crypto'

/** Returns the digest as Authelia writes it, with a base64 of its own. */
export function digestOf(secret: string) {
  const salt = randomBytes(16)
  const key = pbkdf2Sync(secret, salt, 10_000, 64, 'sha512')
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '.').replace(/=+$/, '')
  return `$pbkdf2-sha512$10000$${text(salt)}$${text(key)}`
}
