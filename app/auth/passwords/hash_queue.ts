import limits from '#config/limits'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import pLimit, { type LimitFunction } from 'p-limit'
import passwords from '#config/passwords'
import { E_BUSY } from '#exceptions/http_errors'
import { hashWait } from '#telemetry/durations'
import { inSpan } from '#telemetry/spans'

// A hash keeps a core busy for about ten milliseconds: a flood of logins would starve all requests
// (denial of service). One hash runs for each core, a few wait, and the rest is refused.
const hashQueue = pLimit(passwords.hashConcurrency)

/** Runs costly hashes of client secrets one at a time, so that passwords keep their room. */
const secretQueue = pLimit(1)

let admitted = 0

/** Reserves room before the steps, so that a refusal costs no query. @throws E_BUSY if full */
export async function withHashSlot<T>(steps: () => Promise<T>): Promise<T> {
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

export function hashQueueDepth() {
  return { active: hashQueue.activeCount, waiting: hashQueue.pendingCount }
}

/** @throws E_BUSY while the queue is full */
export async function queueHash<T>(computeHash: () => Promise<T>): Promise<T> {
  if (hashQueue.pendingCount >= limits.hashQueue) throw busy()
  const queuedAt = performance.now()
  const start = Promise.withResolvers<void>()
  void inSpan('hash wait', () => start.promise)
  return computeIn(hashQueue, () => {
    hashWait.observe(performance.now() - queuedAt)
    start.resolve()
    return computeHash()
  })
}

/** @throws E_BUSY while too many hashes wait */
export async function queueSecretHash<T>(computeHash: () => Promise<T>): Promise<T> {
  if (secretQueue.pendingCount >= limits.secretQueue) throw busy()
  return computeIn(secretQueue, computeHash)
}

async function computeIn<T>(queue: LimitFunction, computeHash: () => Promise<T>): Promise<T> {
  const result = await queue(() => inSpan('hash', computeHash))
  if (!isYielding) yieldToEventLoop()
  return result
}

let isYielding = false

const WORKER = 'libuv-worker'

// Gives the event loop priority over the hashes; libuv starts their threads with the first one.
// `setPriority` accepts the id of a thread only on Linux.
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
