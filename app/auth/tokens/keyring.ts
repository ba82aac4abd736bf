import { createHash } from 'node:crypto'

/** Secrets of one purpose by their key id: the first signs, every one verifies. */
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

/** Names a secret in a token's header without telling anything about it. */
function keyId(secret: string) {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8)
}
