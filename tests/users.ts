import { randomBytes, randomInt } from 'node:crypto'

/* Made-up people for tests inside and outside of the product's process. */

/** A password that satisfies every rule of the policy. */
export const PASSWORD = 'Correct-h0rse!'

/** An e-mail address that no other test uses. */
export function someEmail() {
  return `user-${randomBytes(6).toString('hex')}@example.org`
}

/** A public address that no other test sends from: limits of one test do not meet another's. */
export function someAddress() {
  return `198.18.${randomInt(256)}.${randomInt(256)}`
}
