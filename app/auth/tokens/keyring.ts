import { createHash } from 'node:crypto'

/** Secrets of one purpose by their key id. The first signs, and all verify, so that secrets can rotate. */
export class Keyring {
  readonly #secrets: Map<string, string>
  readonly kid: string
  readonly secret: string

  constructor(secrets: string[]) {
    this.#secrets = new Map(secrets.map((secret) => [keyId(secret), secret]))
    this.secret = secrets[0]
    this.kid = keyId(this.secret)
  }

  entries() {
    return [...this.#secrets]
  }
}

/** What names a secret, as the `kid` in the header of a token: a hash, which does not reveal it. */
export function keyId(secret: string) {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8)
}
