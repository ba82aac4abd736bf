import settings from '#config/mfa'
import User, { ADMIN_ROLE } from '#models/user'
import { E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { hasTwoFactors, type Factors } from '#auth/sessions/authentication'
import store from '#auth/store/service'
import { findUserRecord } from '#auth/user_record_cache'
import type { Actor } from '#audit/actor'
import type { ApiCaller } from '#auth/guards/api/api_guard'

/**
 * Whether a caller is an administrator now, and has proved both factors where
 * `ADMIN_REQUIRE_MFA` asks for them. The record is that of this moment, not of the token.
 */
export async function mayAdminister(caller: ApiCaller) {
  const { isAdmin, missing } = await rightsOf(caller)
  return isAdmin && !missing
}

/**
 * The same, where the answer tells an administrator what is missing. False for others, whom
 * a route may still let through.
 *
 * @throws E_MFA_ENROLMENT_REQUIRED
 */
export async function isEnrolledAdmin(caller: ApiCaller) {
  const { isAdmin, missing } = await rightsOf(caller)
  if (isAdmin && missing) throw new E_MFA_ENROLMENT_REQUIRED(MISSING[missing])
  return isAdmin
}

const MISSING = {
  enrolment: undefined,
  sign_in:
    'Administrators need multi-factor authentication: sign in again with a code or a passkey',
}

async function rightsOf(caller: ApiCaller) {
  const { id, version } = caller.user
  const found = await findUserRecord(id, version)
  const isAdmin = found?.record.role === ADMIN_ROLE
  const isAsked = isAdmin && settings.isRequiredOfAdmins
  return { isAdmin, missing: isAsked ? await missingFactor(found, caller) : null }
}

type Found = NonNullable<Awaited<ReturnType<typeof findUserRecord>>>

/**
 * A passkey is two factors. The keys of an enrolled owner take the place of both factors, as
 * do those of a service account, which cannot enrol any.
 */
async function missingFactor(
  { record, hasPasskey }: Found,
  { user, session, apiKey }: ApiCaller
): Promise<keyof typeof MISSING | null> {
  if (record.kind === 'service') return null
  if (!record.mfaEnabled && !hasPasskey) return 'enrolment'
  if (apiKey) return null
  const found = await store.findSession(user.id, session.id, Date.now())
  return found && hasTwoFactors(found) ? null : 'sign_in'
}

/**
 * For what outlives the session of an administrator and acts for them, such as a key: one factor,
 * which a thief may have, must not leave behind what the second one opens later.
 *
 * @throws E_MFA_ENROLMENT_REQUIRED
 */
export async function assertProvedAdmin({ id, sessionId }: Actor) {
  const user = id && sessionId ? await User.find(id) : null
  if (!user || !needsTwoFactors(user)) return
  const session = await store.findSession(user.id, sessionId!, Date.now())
  const isProved = session !== null && hasTwoFactors(session)
  const missing = hasSecondStep(user) ? 'sign_in' : 'enrolment'
  if (!isProved) throw new E_MFA_ENROLMENT_REQUIRED(MISSING[missing])
}

/** Whether one factor is not enough for the user (`ADMIN_REQUIRE_MFA`). */
export function needsTwoFactors(user: User) {
  return settings.isRequiredOfAdmins && user.isAdmin
}

/**
 * Whether a sign-in of the user asks for a second step: for a code or, of an administrator who
 * must prove two factors and has no codes, for the passkey. Who has neither enrols afterwards.
 */
export function hasSecondStep(user: User) {
  return Boolean(user.mfaEnabled) || (needsTwoFactors(user) && user.hasPasskey)
}

/**
 * Whether passkeys are the only second factor that a user must have. A link in a mail, which is
 * one factor, must not remove them.
 */
export function needsPasskeys(user: User) {
  return needsTwoFactors(user) && !user.mfaEnabled
}

/** Whether the factors are all that a sign-in of the user asks for. */
export function coversAllFactors({ first, second }: Factors, user: User) {
  return first && (second || !hasSecondStep(user))
}
