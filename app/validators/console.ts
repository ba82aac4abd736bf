import vine from '@vinejs/vine'
import { displayName, email, givenPassword, newPassword, opaqueToken } from './rules.ts'

export const consoleSignInValidator = vine.create({
  email: email(),
  password: givenPassword(),
})

export const consoleCodeValidator = vine.create({
  mfaToken: vine.string().maxLength(256),
  code: vine.string().trim().minLength(1).maxLength(32),
})

export const setupValidator = vine.create({
  token: opaqueToken(),
  email: email(),
  username: displayName(),
  password: newPassword(),
})
