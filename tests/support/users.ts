import { randomBytes } from 'node:crypto'

/* Users for tests inside and outside of the product's process. */

/** A password that satisfies every rule of the policy. */
export const PASSWORD = 'Correct-h0rse!'

/** An e-mail address that no other test uses. */
export function someEmail() {
  return `user-${randomBytes(6).toString('hex')}@example.org`
}

let addresses = 0

/**
 * An address that no other test sends from: limits of one test do not meet another's. They
 * are dealt in turn, because of some thousand random ones two would be the same, and each
 * is in another network than the one before.
 */
export function someAddress() {
  const number = addresses++
  return `198.${18 + ((number >> 16) % 2)}.${number % 256}.${(number >> 8) % 256}`
}

/** A /48 that no other test sends from. */
export function someNetwork() {
  const [, first, rest] = /^(..)(........)$/.exec(randomBytes(5).toString('hex'))!
  return `fd${first}:${rest.slice(0, 4)}:${rest.slice(4)}`
}
