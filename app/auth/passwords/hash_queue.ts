import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import pLimit from 'p-limit'
import passwords from '#config/passwords'
import { E_BUSY } from '#exceptions/http_errors'

/*
 | A hash keeps a core busy for about ten milliseconds. Without a bound a flood of logins
 | would queue for seconds and starve every other request; the gate computes one hash a
 | core, lets a few wait and refuses the rest at once.
 */
const hashQueue = pLimit(passwords.hashConcurrency)

/** Throws before any work is done, while the queue is full. */
export function assertHashQueueHasRoom() {
  if (hashQueue.pendingCount >= passwords.hashQueueLimit) throw new E_BUSY().retryAfter(1)
}

/** How many hashes are being computed and how many wait. */
export function hashQueueDepth() {
  return { active: hashQueue.activeCount, waiting: hashQueue.pendingCount }
}

/** Runs a hash when a core is free; throws `E_BUSY` while the queue is full. */
export async function queueHash<T>(computeHash: () => Promise<T>): Promise<T> {
  assertHashQueueHasRoom()
  const result = await hashQueue(computeHash)
  if (!isYielding) yieldToEventLoop()
  return result
}

let isYielding = false

/** What Linux calls the threads that compute hashes. */
const WORKER = 'libuv-worker'

/**
 * Lets the threads that hash give way to the one that answers, and to the disk: with a
 * hash on every core all other work would wait for its slice of time. They are there since
 * the first hash, and Linux takes the id of a thread for that of a process. Where that is
 * not so nothing changes.
 */
function yieldToEventLoop() {
  isYielding = true
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === WORKER) setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}
