import limits from '#config/limits'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import pLimit from 'p-limit'
import passwords from '#config/passwords'
import { E_BUSY } from '#exceptions/http_errors'

/*
 | A hash keeps a core busy for about ten milliseconds. Without a limit, a flood of logins
 | would queue for seconds and starve every other request (denial of service). The queue
 | computes one hash per core, lets a few wait and refuses the rest at once.
 */
const hashQueue = pLimit(passwords.hashConcurrency)

/** Sign-ins that have room in the queue and whose hash has not ended yet. */
let admitted = 0

/**
 * Runs the steps of a sign-in up to its hash, with room for that hash taken at once; throws
 * `E_BUSY` before they cost any work while there is none. A flood would otherwise ask the
 * database for each of its requests while the first ones are still on their way to the queue.
 */
export async function withHashRoom<T>(steps: () => Promise<T>): Promise<T> {
  if (admitted >= passwords.hashConcurrency + limits.hashQueue) throw busy()
  admitted += 1
  try {
    return await steps()
  } finally {
    admitted -= 1
  }
}

function busy() {
  return new E_BUSY().retryAfter(1)
}

/** Counts the hashes that are being computed and those that wait. */
export function hashQueueDepth() {
  return { active: hashQueue.activeCount, waiting: hashQueue.pendingCount }
}

/** Runs a hash when a core is free; throws `E_BUSY` while the queue is full. */
export async function queueHash<T>(computeHash: () => Promise<T>): Promise<T> {
  if (hashQueue.pendingCount >= limits.hashQueue) throw busy()
  const result = await hashQueue(computeHash)
  if (!isYielding) yieldToEventLoop()
  return result
}

let isYielding = false

/** The name of libuv's worker threads, which compute the hashes, on Linux. */
const WORKER = 'libuv-worker'

/**
 * Lowers the priority of the worker threads below that of the event loop: with a hash on
 * every core, all other work would otherwise wait for its slice of time. It runs after the
 * first hash, because libuv starts the threads with it. `setPriority` accepts the id of a
 * thread on Linux; on other systems nothing changes.
 */
function yieldToEventLoop() {
  isYielding = true
  try {
    const workers = readdirSync('/proc/self/task').filter(isWorker)
    for (const thread of workers) {
      setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
    }
  } catch {}
}

function isWorker(thread: string) {
  return readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === WORKER
}
