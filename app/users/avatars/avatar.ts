import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import pLimit from 'p-limit'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { invalidPicture } from '#users/errors'
import { recordAudit } from '#audit/trail'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** Of the file as it is uploaded, in bytes. */
export const LARGEST_FILE = 2 * 1_024 * 1_024

/** Read from the header before anything is decoded: a small file can unfold to gigabytes. */
const MOST_PIXELS = 16_000_000

/** Width and height of what is kept. */
const SIDE = 512

/** Decoding holds a whole picture in memory: no more than these at once. */
const decoding = pLimit(2)

/** Loaded with the first upload: most processes never need it. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'],
  })
  sharp.cache(false)
  return sharp
}

let library: ReturnType<typeof loadSharp> | undefined

/**
 * Decodes a picture and encodes it anew: nothing but pixels passes, neither metadata
 * such as a place, nor what a file hides behind its picture.
 *
 * @returns 512×512 WebP
 * @throws E_INVALID_PICTURE for what is no JPEG, PNG or WebP by its content, or has too many pixels
 */
async function redraw(file: Buffer): Promise<Buffer> {
  const sharp = await (library ??= loadSharp())
  try {
    return await sharp(file, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .timeout({ seconds: 5 })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover' })
      .webp({ quality: 82 })
      .toBuffer()
  } catch {
    throw invalidPicture()
  }
}

/** Gives a user the picture in a file. The one before goes in the same transaction. */
export async function changeAvatar(userId: string, file: Buffer, actor: Actor) {
  const image = await decoding(() => redraw(file))
  const name = `${randomBytes(24).toString('base64url')}.webp`
  return db.transaction(async (trx) => {
    await nameAvatar(userId, `/avatars/${name}`, trx)
    await trx.from('avatars').where('user_id', userId).delete()
    await trx.table('avatars').insert({ name, user_id: userId, image, created_at: Date.now() })
    await recordAudit({ action: 'avatar.changed', actor, targetId: userId }, trx)
    return User.findOrFail(userId, { client: trx })
  })
}

/** Takes the picture off a user; nothing happens when it has none. */
export async function removeAvatar(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await User.find(userId, { client: trx })
    if (!user) throw new E_NOT_FOUND()
    if (!user.avatar) return user
    await nameAvatar(userId, null, trx)
    await trx.from('avatars').where('user_id', userId).delete()
    await recordAudit({ action: 'avatar.removed', actor, targetId: userId }, trx)
    return User.findOrFail(userId, { client: trx })
  })
}

async function nameAvatar(userId: string, avatar: string | null, trx: Transaction) {
  const changed = await trx
    .from('users')
    .where('id', userId)
    .update({ avatar, updated_at: Date.now() })
  if (Number(changed) === 0) throw new E_NOT_FOUND()
}

const AVATAR_NAME = /^[\w-]{32}\.webp$/

/** The bytes of a picture; null when nobody has it. */
export async function findAvatar(name: string): Promise<Buffer | null> {
  if (!AVATAR_NAME.test(name)) return null
  const row = await db.from('avatars').where('name', name).select('image').first()
  return row?.image ?? null
}
