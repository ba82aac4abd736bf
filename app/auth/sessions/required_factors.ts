import settings from '#config/mfa'
import User, { ADMIN_ROLE, DEFAULT_ROLE } from '#models/user'
import { E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { METHOD_LIST } from '#auth/methods/methods'
import store from '#auth/store/service'
import { hasTwoFactors, type Factors } from './authentication.ts'
import type { Actor } from '#audit/actor'
import type { SessionRecord } from '#auth/store/contract'

/** One factor is not enough for administrators under `ADMIN_REQUIRE_MFA`. */
export function needsTwoFactors(user: User) {
  return settings.isRequiredOfAdmins && user.isAdmin
}

/** An administrator with neither codes nor a passkey enrols after the sign-in. */
export function hasSecondStep(user: User) {
  return Boolean(user.mfaEnabled) || (needsTwoFactors(user) && hasMultiFactorMethod(user))
}

function hasMultiFactorMethod(user: User) {
  return METHOD_LIST.some(({ isMultiFactor, isEnrolled }) => isMultiFactor && isEnrolled(user))
}

export function canProveTwoFactors(user: User) {
  return Boolean(user.mfaEnabled) || hasMultiFactorMethod(user)
}

/** A mailed link is one factor, so it must not remove the only second factor. */
export function needsMultiFactorMethod(user: User) {
  return needsTwoFactors(user) && !user.mfaEnabled
}

export function coversAllFactors({ first, second }: Factors, user: User) {
  return first && (second || !hasSecondStep(user))
}

/** Other services rely on the role in a token: one factor must not make an administrator there. */
export function roleInToken(role: string, session: Pick<SessionRecord, 'method' | 'amr'>) {
  if (role !== ADMIN_ROLE || !settings.isRequiredOfAdmins) return role
  return hasTwoFactors(session) ? role : DEFAULT_ROLE
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

/** A thief with one factor must not create lasting access. @throws E_MFA_ENROLMENT_REQUIRED */
export async function assertRequiredFactors({ id, sessionId }: Actor) {
  const user = id && sessionId ? await User.find(id) : null
  if (!user || !needsTwoFactors(user)) return
  const session = await store.findSession(user.id, sessionId!, Date.now())
  if (session && hasTwoFactors(session)) return
  throw missingFactorError(hasSecondStep(user) ? 'sign_in' : 'enrolment')
}
