import { hash, verify } from '@node-rs/argon2'
import type { HashDriverContract } from '@adonisjs/core/types/hash'

// `Algorithm.Argon2id` of `@node-rs/argon2`, a const enum without a value at run time.
const ARGON2ID = 2

interface Argon2idOptions {
  /** In KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** Makes the framework driver's PHC strings at about twice its rate (docs/decisions.md). */
export class Argon2id implements HashDriverContract {
  readonly #options: Argon2idOptions
  readonly #prefix: string

  constructor(options: Argon2idOptions) {
    this.#options = options
    const { memoryCost, timeCost, parallelism } = options
    this.#prefix = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
  }

  isValidHash(value: string) {
    return /^\$argon2(id|i|d)\$/.test(value)
  }

  make(value: string) {
    return hash(value, { algorithm: ARGON2ID, ...this.#options })
  }

  async verify(hashedValue: string, plainValue: string) {
    return this.isValidHash(hashedValue) && verify(hashedValue, plainValue)
  }

  needsReHash(hashedValue: string) {
    return !hashedValue.startsWith(this.#prefix)
  }
}
