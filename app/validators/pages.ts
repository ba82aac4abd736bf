import vine from '@vinejs/vine'
import limits from '#config/limits'
import { removedMethods } from './auth.ts'
import { email, mfaCode, opaqueToken } from './rules.ts'
import { givenPassword, newPassword } from './password_rules.ts'

export const signInValidator = vine.create({
  email: email(),
  password: givenPassword(),
})

/** Accepts the code as people type it, with blanks or a hyphen. */
export const addressCodeValidator = vine.create({
  code: vine
    .string()
    .maxLength(limits.mfaCode)
    .transform((code) => code.replaceAll(/[\s-]/g, '')),
})

export const confirmationValidator = vine.create({
  password: givenPassword(),
})

export const confirmationWithCodeValidator = vine.create({
  password: givenPassword(),
  code: mfaCode(),
})

export const passwordPageValidator = vine.create({
  ...removedMethods,
  token: opaqueToken(),
  password: newPassword(),
})
