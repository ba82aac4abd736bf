import vine from '@vinejs/vine'
import { newPassword, opaqueToken } from './rules.ts'

export const passwordPageValidator = vine.create({
  token: opaqueToken(),
  password: newPassword(),
})
