import settings from '#config/mfa'
import { ADMIN_ROLE } from '#models/user'
import { E_MFA_ENROLMENT_REQUIRED } from '#auth/errors'
import { assertProvenActor } from '#auth/mfa/reauthentication'
import { findUserRecord } from '#auth/user_record_cache'
import type { Actor } from '#audit/actor'

/** A caller of the API, at the version of the user that the store has just named. */
interface VersionedCaller {
  id: string
  version: number
}

/**
 * Whether a caller is an administrator now and has enrolled the second factor that
 * `ADMIN_REQUIRE_MFA` asks for. The record is that of this moment, not of the token.
 */
export async function mayAdminister(caller: VersionedCaller) {
  const { isAdmin, mustEnrol } = await rightsOf(caller)
  return isAdmin && !mustEnrol
}

/**
 * The same, where the answer tells an administrator what is missing. False for others, whom
 * a route may still let through.
 *
 * @throws E_MFA_ENROLMENT_REQUIRED
 */
export async function isEnrolledAdmin(caller: VersionedCaller) {
  const { isAdmin, mustEnrol } = await rightsOf(caller)
  if (isAdmin && mustEnrol) throw new E_MFA_ENROLMENT_REQUIRED()
  return isAdmin
}

async function rightsOf({ id, version }: VersionedCaller) {
  const found = await findUserRecord(id, version)
  const isAdmin = found?.record.role === ADMIN_ROLE
  return { isAdmin, mustEnrol: settings.isRequiredOfAdmins && lacksFactor(found) }
}

/** A passkey is two factors. A service account cannot enrol any: its keys take the place of both factors. */
function lacksFactor(found: Awaited<ReturnType<typeof findUserRecord>>) {
  const { record, hasPasskey } = found ?? {}
  return !record?.mfaEnabled && !hasPasskey && record?.kind !== 'service'
}

/**
 * Refuses a change of an administrator, or one that makes a user one, without a recent proof
 * of the acting user: with the session of one administrator a thief could otherwise take over
 * or remove the others. Commands and the system have no user and need none.
 *
 * @throws E_RECENT_LOGIN_REQUIRED
 */
export function assertMayChangeAdmin(actor: Actor) {
  assertProvenActor(actor)
}
