import vine from '@vinejs/vine'
import limits from '#config/limits'
import type { RemovalField } from '#users/remove_methods'
import {
  displayName,
  email,
  handle,
  locale,
  metadata,
  mfaCode,
  opaqueToken,
  pendingEmail,
} from './rules.ts'
import { givenPassword, newPassword } from './password_rules.ts'

export const registerValidator = vine.create({
  email: email(),
  username: displayName(),
  password: newPassword(),
})

export const loginValidator = vine.create({
  email: email(),
  password: givenPassword(),
  code: mfaCode().optional(),
})

export const refreshValidator = vine.create({
  refreshToken: vine.string().minLength(1).maxLength(limits.refreshToken),
})

export const revokeValidator = vine.create({
  token: vine.string().minLength(1).maxLength(limits.accessToken).optional(),
})

/** Both are needed unless the session is recent; a code only with a second factor. */
export const reauthentication = {
  currentPassword: givenPassword().optional(),
  code: mfaCode().optional(),
}

export const reauthenticationValidator = vine.create(reauthentication)

/** The current password is optional, because a user without one sets the first. */
export const changePasswordValidator = vine.create({
  ...reauthentication,
  newPassword: newPassword(),
})

export const forgotPasswordValidator = vine.create({
  email: email(),
})

/** A reset removes these methods, which an attacker may have added. */
export const removedMethods = {
  removeIdentities: vine.boolean().optional(),
  removeApiKeys: vine.boolean().optional(),
  removePasskeys: vine.boolean().optional(),
} satisfies Record<RemovalField, unknown>

export const resetPasswordValidator = vine.create({
  ...removedMethods,
  token: opaqueToken(),
  newPassword: newPassword().optional().requiredIfMissing('password'),
  /** An alias of `newPassword`, which many clients send. */
  password: newPassword().optional(),
})

export const verifyEmailValidator = vine.create({
  token: opaqueToken(),
})

export const resendVerificationValidator = vine.create({
  email: email().optional(),
})

export const ownFields = {
  username: displayName().optional(),
  handle: handle().optional(),
  nickname: displayName().nullable().optional(),
  locale: locale().nullable().optional(),
  email: email().optional(),
  pendingEmail: pendingEmail(),
  metadata: metadata(),
  appMetadata: metadata(),
  ...reauthentication,
}

export const profileValidator = vine.create(ownFields)

/** Named as in RFC 7636; needed if the login was started with its challenge. */
export const externalCodeValidator = vine.create({
  code: opaqueToken(),
  code_verifier: vine
    .string()
    .regex(/^[\w.~-]{43,128}$/)
    .optional(),
})
