import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import limits from '#config/limits'
import { E_BUSY } from '#exceptions/http_errors'
import { throttleUploads } from '#auth/lockout/throttle'

/* Slots bound the pictures in memory against denial of service: a body without a slot is not read. */

const slots = pLimit(limits.pictureSlots)
const slotsByUser = new LRUCache<string, LimitFunction>({ max: 1_000 })
let active = 0

/** @throws E_BUSY if too many requests wait, E_TOO_MANY_REQUESTS after too many uploads of one user */
export async function withUploadSlot<T>(userId: string, action: () => Promise<T>): Promise<T> {
  await throttleUploads(userId)
  const userSlots = slotsByUser.get(userId) ?? pLimit(limits.userPictureSlots)
  slotsByUser.set(userId, userSlots)
  if (isFull(userSlots)) throw tooManyUploads()
  active++
  try {
    return await userSlots(() => slots(action))
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
