import { randomBytes } from 'node:crypto'

/* Users for tests inside and outside of the product's process. */

/** A password that satisfies every rule of the policy. */
export const PASSWORD = 'Correct-h0rse!'

/** Returns an e-mail address that no other test uses. */
export function someEmail() {
  return `user-${randomBytes(6).toString('hex')}@example.org`
}

let addresses = 0

/**
 * Returns an address that no other test sends from, so that tests do not share limits. Addresses
 * are given in turn, because two of some thousand random ones would be the same. Each is in
 * another network than the previous one.
 */
export function someAddress() {
  const number = addresses++
  return `198.${18 + ((number >> 16) % 2)}.${number % 256}.${(number >> 8) % 256}`
}

/** Returns a /48 that no other test sends from. */
export function someNetwork() {
  const [, first, rest] = /^(..)(........)$/.exec(randomBytes(5).toString('hex'))!
  return `fd${first}:${rest.slice(0, 4)}:${rest.slice(4)}`
}
