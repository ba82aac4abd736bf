import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { lockForChange } from '#auth/lock_for_change'
import { record } from '#events/record'
import { decoding, reencode } from './picture.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export async function changeAvatar(userId: string, file: Buffer, actor: Actor) {
  const image = await decoding(() => reencode(file))
  const name = `${randomBytes(24).toString('base64url')}.webp`
  return db.transaction(async (trx) => {
    await lockForChange(userId, actor, trx)
    await setAvatarPath(userId, `/avatars/${name}`, trx)
    await trx.from('avatars').where('user_id', userId).delete()
    await trx.table('avatars').insert({ name, user_id: userId, image, created_at: Date.now() })
    await record(trx, { type: 'avatar.changed', user: { id: userId }, actor })
    return User.findOrFail(userId, { client: trx })
  })
}

/** If the user has no picture, nothing changes and no event is recorded. */
export async function removeAvatar(userId: string, actor: Actor) {
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    if (!user.avatar) return user
    await setAvatarPath(userId, null, trx)
    await trx.from('avatars').where('user_id', userId).delete()
    await record(trx, { type: 'avatar.removed', user, actor })
    return User.findOrFail(userId, { client: trx })
  })
}

async function setAvatarPath(userId: string, avatar: string | null, trx: Transaction) {
  await trx.from('users').where('id', userId).update({ avatar, updated_at: Date.now() })
}

/** @returns the WebP bytes; null without a picture, or for one at a provider */
export async function findPicture({ avatar }: User) {
  return avatar?.startsWith('/avatars/') ? findAvatar(avatar.slice('/avatars/'.length)) : null
}

const AVATAR_NAME = /^[\w-]{32}\.webp$/

export async function findAvatar(name: string): Promise<Buffer | null> {
  if (!AVATAR_NAME.test(name)) return null
  const row = await db.from('avatars').where('name', name).select('image').first()
  return row?.image ?? null
}
