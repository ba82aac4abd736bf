import vine from '@vinejs/vine'
import { displayName, email, handle, locale } from './rules.ts'

export const personValidator = vine.create({
  username: displayName(),
  nickname: displayName().nullable(),
  locale: locale().nullable().optional(),
})

export const addressValidator = vine.create({
  email: email(),
})

export const handleValidator = vine.create({
  handle: handle(),
})

export const deletionValidator = vine.create({
  confirm: vine.accepted(),
})
