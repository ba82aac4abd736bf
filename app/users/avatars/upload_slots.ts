import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import { E_BUSY } from '#auth/errors'
import { throttleUploads } from '#auth/lockout/throttle'

/*
 | Pictures are held in memory from their first byte until they are kept, so that many
 | senders at once could fill it. Who has no place yet is not read from: their bytes wait
 | in the network.
 */

/** Files in memory at once, of everybody: 16 × 2 MB. */
const PLACES = 16

/** Of one account, so that nobody holds every place by sending slowly. */
const PLACES_OF_ONE = 4

/** Requests that wait for a place, of everybody and of one account; further ones are refused. */
const MOST_WAITING = 64
const MOST_WAITING_OF_ONE = 12

const places = pLimit(PLACES)
const placesOfOne = new LRUCache<string, LimitFunction>({ max: 1_000 })
let present = 0

/**
 * Performs an upload in a place of its own.
 *
 * @throws E_BUSY where too many wait already, E_TOO_MANY_REQUESTS after too many of one account
 */
export async function withUploadPlace<T>(userId: string, perform: () => Promise<T>): Promise<T> {
  await throttleUploads(userId)
  const own = placesOfOne.get(userId) ?? pLimit(PLACES_OF_ONE)
  placesOfOne.set(userId, own)
  const isFull = present >= PLACES + MOST_WAITING || own.pendingCount >= MOST_WAITING_OF_ONE
  if (isFull) throw tooManyUploads()
  present++
  try {
    return await own(() => places(perform))
  } finally {
    present--
  }
}

function tooManyUploads() {
  return new E_BUSY('Too many pictures are being received at the moment').retryAfter(1)
}
