import sharp from 'sharp'
import limits from '#config/limits'
import { reencode } from '#users/avatars/picture'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { createUser, signedIn } from '#tests/support/fixtures'
import { asUser, type LimitRow } from './limits.ts'
import type { ApiClient } from '@japa/api-client'

/* The limits on pictures: decoding a picture is the most expensive request of a user. */

async function pictureOf(red: number, width = 9, height = 9) {
  const create = { width, height, channels: 3 as const, background: { r: red, g: 0, b: 0 } }
  return sharp({ create }).png().toBuffer()
}

/** Starts uploads at the same time. None ends before each of them runs, waits or is refused. */
async function uploadAtOnce(count: number, userOf = (_: number) => 'one') {
  const { limit } = limits.upload
  limits.upload.limit = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const uploads = { running: 0, refused: 0 }
  const upload = () => {
    uploads.running++
    return promise
  }
  const settled = Array.from({ length: count }, (_, number) =>
    withUploadSlot(userOf(number), upload).catch(() => void uploads.refused++)
  )
  await new Promise(setImmediate)
  const seen = { ...uploads }
  resolve()
  await Promise.all(settled)
  limits.upload.limit = limit
  return seen
}

const ofMany = (number: number) => `user ${number}`

async function statusOf(client: ApiClient, bytes: number) {
  const { headers } = await signedIn(client, await createUser())
  const request = client.post('/users/avatar').headers(headers)
  const response = await request.file('file', Buffer.alloc(bytes), { filename: 'a.png' })
  return response.status()
}

/** Returns the status for a body whose file has the largest allowed size; other bytes follow it. */
async function statusOfForm(client: ApiClient, bytesBeside: number) {
  const { headers } = await signedIn(client, await createUser())
  const disposition = 'content-disposition: form-data; name="file"; filename="a.png"'
  const [head, tail] = [`--b\r\n${disposition}\r\n\r\n`, '\r\n--b--\r\n']
  const file = '0'.repeat(limits.pictureBytes)
  const rest = ' '.repeat(bytesBeside - head.length - tail.length)
  const { status } = await fetch(`http://127.0.0.1:${process.env.PORT}/users/avatar`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    body: head + file + tail + rest,
  })
  return status
}

export const PICTURE_LIMITS = {
  upload: {
    lowered: 2,
    isAllowed: (count, client) =>
      asUser(count, client, async (headers, number) => {
        const request = client.post('/users/avatar').headers(headers)
        return request.file('file', await pictureOf(number), { filename: 'a.png' })
      }),
  },
  pictureBytes: {
    isAllowed: async (count, client) => {
      const status = await statusOf(client, count)
      return status !== 413
    },
  },
  pictureFormBytes: {
    isAllowed: async (count, client) => {
      const status = await statusOfForm(client, count)
      return status !== 413
    },
  },
  picturePixels: {
    lowered: 7,
    isAllowed: async (count) => {
      const picture = await pictureOf(1, count, 1)
      return reencode(picture).then(
        () => true,
        () => false
      )
    },
  },
  pictureSlots: {
    isAllowed: async (count) => {
      const { running } = await uploadAtOnce(count, ofMany)
      return running === count
    },
  },
  userPictureSlots: {
    isAllowed: async (count) => {
      const { running } = await uploadAtOnce(count)
      return running === count
    },
  },
  waitingPictures: {
    lowered: 2,
    isAllowed: async (count) => {
      const { refused } = await uploadAtOnce(limits.pictureSlots + count, ofMany)
      return refused === 0
    },
  },
  userWaitingPictures: {
    isAllowed: async (count) => {
      const { refused } = await uploadAtOnce(limits.userPictureSlots + count)
      return refused === 0
    },
  },
} satisfies Record<string, LimitRow>
