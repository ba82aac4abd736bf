import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { E_BUSY } from '#exceptions/http_errors'
import { throttleUploads } from '#auth/lockout/throttle'

/*
 | Pictures are held in memory from their first byte until they are stored, so many uploads
 | at once could fill it (denial of service). The body of a request without a slot is not
 | read: its bytes wait in the network.
 */

/** Files in memory at once, of all users: 16 × 2 MB. */
const SLOTS = 16

/** Files of one user: an attacker must not occupy every slot with slow uploads. */
const SLOTS_PER_USER = 4

/** Requests that wait for a slot, of all users and of one user; further ones are refused. */
const MOST_WAITING = 64
const MOST_WAITING_PER_USER = 12

const slots = pLimit(SLOTS)
const slotsByUser = new LRUCache<string, LimitFunction>({ max: 1_000 })
let active = 0

/**
 * Runs an upload in a slot.
 *
 * @throws E_BUSY if too many requests wait, E_TOO_MANY_REQUESTS after too many uploads of one user
 */
export async function withUploadSlot<T>(userId: string, perform: () => Promise<T>): Promise<T> {
  await throttleUploads(userId)
  const userSlots = slotsByUser.get(userId) ?? pLimit(SLOTS_PER_USER)
  slotsByUser.set(userId, userSlots)
  const isFull = active >= SLOTS + MOST_WAITING || userSlots.pendingCount >= MOST_WAITING_PER_USER
  if (isFull) throw tooManyUploads()
  active++
  try {
    return await userSlots(() => slots(perform))
  } finally {
    active--
  }
}

function tooManyUploads() {
  return new E_BUSY('Too many pictures are being received at the moment').retryAfter(1)
}
