import { hasTwoFactors } from '#auth/sessions/authentication'
import store from '#auth/store/service'
import type User from '#models/user'
import type { OAuthClient } from '#oidc/clients/client'

/* Decides who may use an application, whenever it gets, renews or uses a token. */

export type AccessRule = Pick<OAuthClient, 'access' | 'allowedGroupIds' | 'requireMfa'>

export type AccessSubject = Pick<User, 'id' | 'isService' | 'groupIds'>

/** The description that the client receives. */
export const NO_ACCESS = 'the user has no access to the client'

/** A service account acts only for its client. */
export function mayAccess(
  { access, allowedGroupIds }: Pick<AccessRule, 'access' | 'allowedGroupIds'>,
  user: AccessSubject
) {
  if (access === 'everybody' || user.isService) return true
  const own = user.groupIds?.split(' ') ?? []
  return allowedGroupIds.some((id) => own.includes(id))
}

/** Also checks the session with the application, which may have been proved by one factor. */
export async function mayUse(rule: AccessRule, user: AccessSubject, sessionId: string) {
  if (!mayAccess(rule, user)) return false
  if (!rule.requireMfa || user.isService) return true
  const session = await store.findSession(user.id, sessionId, Date.now())
  return session !== null && hasTwoFactors(session)
}

/** Returns whether users may have lost access. */
export function isNarrowed(before: AccessRule, after: AccessRule) {
  if (after.access === 'everybody') return false
  const kept = new Set(after.allowedGroupIds)
  return before.access === 'everybody' || before.allowedGroupIds.some((id) => !kept.has(id))
}
