import { BasePolicy } from '@adonisjs/bouncer'
import { isEnrolledAdmin, mayAdminister } from '#auth/guards/api/administrators'
import type { ApiCaller } from '#auth/guards/api/api_guard'

/** Policies take an id, because 403 must not reveal whether the user exists. @throws E_MFA_ENROLMENT_REQUIRED */
export default class UserPolicy extends BasePolicy {
  view(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId) || isEnrolledAdmin(caller)
  }

  update(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId) || isEnrolledAdmin(caller)
  }

  administer(caller: ApiCaller) {
    return mayAdminister(caller)
  }

  changeRole(caller: ApiCaller) {
    return isEnrolledAdmin(caller)
  }

  /** Administrators do not know the current password, so they send a reset mail. */
  changePassword(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId)
  }

  revokeToken(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId) || isEnrolledAdmin(caller)
  }
}

function isSelf({ user }: ApiCaller, userId: string) {
  return user.id === userId
}
