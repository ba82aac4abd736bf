import vine from '@vinejs/vine'
import limits from '#config/limits'
import { assertion } from './passkeys.ts'
import { mfaCode, opaqueToken } from './rules.ts'

export const mfaChallengeValidator = vine.create({
  mfaToken: opaqueToken(),
  code: mfaCode(),
})

/** A code or, in its place, the response of a passkey. */
export const secondStepValidator = vine.create({
  mfaToken: opaqueToken(),
  code: mfaCode().optional().requiredIfMissing('passkey'),
  passkey: assertion().optional(),
})

export const mfaCodeValidator = vine.create({
  code: mfaCode(),
  secret: vine.string().minLength(1).maxLength(limits.mfaSecret).optional(),
})
