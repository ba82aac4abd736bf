import settings from '#config/mfa'
import User from '#models/user'
import { E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { METHOD_LIST } from '#auth/methods/methods'
import store from '#auth/store/service'
import { hasTwoFactors, type Factors } from './authentication.ts'
import type { Actor } from '#audit/actor'

/** Whether one factor is not enough for the user (`ADMIN_REQUIRE_MFA`). */
export function needsTwoFactors(user: User) {
  return settings.isRequiredOfAdmins && user.isAdmin
}

/**
 * Whether a sign-in asks for a second step: a code, or the passkey of an administrator without
 * codes who must prove two factors. An administrator with neither enrols afterwards.
 */
export function hasSecondStep(user: User) {
  return Boolean(user.mfaEnabled) || (needsTwoFactors(user) && hasMultiFactorMethod(user))
}

function hasMultiFactorMethod(user: User) {
  return METHOD_LIST.some(({ isMultiFactor, isEnrolled }) => isMultiFactor && isEnrolled(user))
}

/** Whether the user can prove two factors: by codes, or by a method that is both. */
export function canProveTwoFactors(user: User) {
  return Boolean(user.mfaEnabled) || hasMultiFactorMethod(user)
}

/**
 * Whether a multi-factor method is the only second factor that a user must have. A link in a
 * mail, which is one factor, must not remove it.
 */
export function needsMultiFactorMethod(user: User) {
  return needsTwoFactors(user) && !user.mfaEnabled
}

/** Whether the factors are all that a sign-in of the user asks for. */
export function coversAllFactors({ first, second }: Factors, user: User) {
  return first && (second || !hasSecondStep(user))
}

export type MissingFactor = 'enrolment' | 'sign_in'

const MESSAGES: Record<MissingFactor, string | undefined> = {
  enrolment: undefined,
  sign_in:
    'Administrators need multi-factor authentication: sign in again with a code or a passkey',
}

export function missingFactorError(missing: MissingFactor) {
  return new E_MFA_ENROLMENT_REQUIRED(MESSAGES[missing])
}

/**
 * Guards what outlives the session of an administrator, such as a key: a thief with one factor
 * must not leave behind what the second one opens later.
 *
 * @throws E_MFA_ENROLMENT_REQUIRED
 */
export async function assertProvedAdmin({ id, sessionId }: Actor) {
  const user = id && sessionId ? await User.find(id) : null
  if (!user || !needsTwoFactors(user)) return
  const session = await store.findSession(user.id, sessionId!, Date.now())
  if (session && hasTwoFactors(session)) return
  throw missingFactorError(hasSecondStep(user) ? 'sign_in' : 'enrolment')
}
