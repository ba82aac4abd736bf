import pLimit from 'p-limit'
import passwords from '#config/passwords'
import { E_BUSY } from '#auth/errors'

/*
 | A hash keeps a core busy for about ten milliseconds. Without a bound a flood of logins
 | would queue for seconds and starve every other request; the gate computes one hash a
 | core, lets a few wait and refuses the rest at once.
 */
const gate = pLimit(passwords.hashConcurrency)

/** Throws before any work is done, while the queue is full. */
export function assertGateHasRoom() {
  if (gate.pendingCount >= passwords.hashQueueLimit) throw new E_BUSY().retryAfter(1)
}

/** How many hashes are being computed and how many wait. */
export function gateDepth() {
  return { active: gate.activeCount, waiting: gate.pendingCount }
}

/** Runs a hash when a core is free; throws `E_BUSY` while the queue is full. */
export async function throughGate<T>(computeHash: () => Promise<T>): Promise<T> {
  assertGateHasRoom()
  return gate(computeHash)
}
