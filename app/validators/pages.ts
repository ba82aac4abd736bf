import vine from '@vinejs/vine'
import { opaqueToken } from './rules.ts'
import { newPassword } from './password_rules.ts'

export const passwordPageValidator = vine.create({
  token: opaqueToken(),
  password: newPassword(),
})
