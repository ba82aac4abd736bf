import vine from '@vinejs/vine'
import { removedWaysIn } from './auth.ts'
import { opaqueToken } from './rules.ts'
import { newPassword } from './password_rules.ts'

export const passwordPageValidator = vine.create({
  ...removedWaysIn,
  token: opaqueToken(),
  password: newPassword(),
})
