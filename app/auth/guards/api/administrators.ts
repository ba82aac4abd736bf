import settings from '#config/mfa'
import { ADMIN_ROLE } from '#models/user'
import { hasTwoFactors } from '#auth/sessions/authentication'
import { missingFactorError, type MissingFactor } from '#auth/sessions/required_factors'
import store from '#auth/store/service'
import { findUserRecord } from '#transformers/user_record_cache'
import type { ApiCaller } from './api_guard.ts'

/** Reads the current role, not the token's, and both factors under `ADMIN_REQUIRE_MFA`. */
export async function mayAdminister(caller: ApiCaller) {
  const { isAdmin, missing } = await rightsOf(caller)
  return isAdmin && !missing
}

/** Tells an administrator what is missing; false for others. @throws E_MFA_ENROLMENT_REQUIRED */
export async function isEnrolledAdmin(caller: ApiCaller) {
  const { isAdmin, missing } = await rightsOf(caller)
  if (isAdmin && missing) throw missingFactorError(missing)
  return isAdmin
}

async function rightsOf(caller: ApiCaller) {
  const { id, version } = caller.user
  const found = await findUserRecord(id, version)
  const isAdmin = found?.record.role === ADMIN_ROLE
  const isAsked = isAdmin && settings.isRequiredOfAdmins
  return { isAdmin, missing: isAsked ? await missingFactor(found, caller) : null }
}

type CachedUser = NonNullable<Awaited<ReturnType<typeof findUserRecord>>>

// A passkey counts as two factors. API keys of an enrolled owner or a service account need none.
async function missingFactor(
  { record, canProveTwoFactors }: CachedUser,
  { user, session, apiKey }: ApiCaller
): Promise<MissingFactor | null> {
  if (record.kind === 'service') return null
  if (!canProveTwoFactors) return 'enrolment'
  if (apiKey) return null
  const found = await store.findSession(user.id, session.id, Date.now())
  return found && hasTwoFactors(found) ? null : 'sign_in'
}
