import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import limits from '#config/limits'
import { E_BUSY } from '#exceptions/http_errors'
import { throttleUploads } from '#auth/lockout/throttle'

/*
 | Pictures are held in memory from their first byte until they are stored, so many uploads
 | at once could fill it (denial of service). The body of a request without a slot is not
 | read: its bytes wait in the network.
 */

const slots = pLimit(limits.pictureSlots)
const slotsByUser = new LRUCache<string, LimitFunction>({ max: 1_000 })
let active = 0

/**
 * Runs an upload in a slot.
 *
 * @throws E_BUSY if too many requests wait, E_TOO_MANY_REQUESTS after too many uploads of one user
 */
export async function withUploadSlot<T>(userId: string, perform: () => Promise<T>): Promise<T> {
  await throttleUploads(userId)
  const userSlots = slotsByUser.get(userId) ?? pLimit(limits.userPictureSlots)
  slotsByUser.set(userId, userSlots)
  if (isFull(userSlots)) throw tooManyUploads()
  active++
  try {
    return await userSlots(() => slots(perform))
  } finally {
    active--
  }
}

function isFull({ pendingCount }: LimitFunction) {
  const { pictureSlots, waitingPictures, userWaitingPictures } = limits
  return active >= pictureSlots + waitingPictures || pendingCount >= userWaitingPictures
}

function tooManyUploads() {
  return new E_BUSY('Too many pictures are being received at the moment').retryAfter(1)
}
