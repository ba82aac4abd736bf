import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { E_BUSY } from '#exceptions/http_errors'
import { throttleUploads } from '#auth/lockout/throttle'

/*
 | Pictures are held in memory from their first byte until they are kept, so that many
 | senders at once could fill it. Who has no place yet is not read from: their bytes wait
 | in the network.
 */

/** Files in memory at once, of everybody: 16 × 2 MB. */
const SLOTS = 16

/** Of one user, so that nobody holds every place by sending slowly. */
const SLOTS_PER_USER = 4

/** Requests that wait for a place, of everybody and of one user; further ones are refused. */
const MOST_WAITING = 64
const MOST_WAITING_PER_USER = 12

const slots = pLimit(SLOTS)
const slotsByUser = new LRUCache<string, LimitFunction>({ max: 1_000 })
let active = 0

/**
 * Performs an upload in a place of its own.
 *
 * @throws E_BUSY where too many wait already, E_TOO_MANY_REQUESTS after too many of one user
 */
export async function withUploadSlot<T>(userId: string, perform: () => Promise<T>): Promise<T> {
  await throttleUploads(userId)
  const own = slotsByUser.get(userId) ?? pLimit(SLOTS_PER_USER)
  slotsByUser.set(userId, own)
  const isFull = active >= SLOTS + MOST_WAITING || own.pendingCount >= MOST_WAITING_PER_USER
  if (isFull) throw tooManyUploads()
  active++
  try {
    return await own(() => slots(perform))
  } finally {
    active--
  }
}

function tooManyUploads() {
  return new E_BUSY('Too many pictures are being received at the moment').retryAfter(1)
}
