import { createHash } from 'node:crypto'

/** The first secret signs, and all verify, so that secrets can rotate. */
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

/** The `kid` of a secret: a hash, which does not reveal it. */
export function keyId(secret: string) {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8)
}
