import { BasePolicy } from '@adonisjs/bouncer'
import { isEnrolledAdmin, mayAdminister } from '#auth/guards/api/administrators'
import type { ApiCaller } from '#auth/guards/api/api_guard'

/**
 * What a caller may do to a user. Policies take the id from the path and not a user: the
 * answer to a caller who may not is the same 403 whether or not the user exists. An
 * administrator who has to enrol a second factor first is told so (E_MFA_ENROLMENT_REQUIRED).
 */
export default class UserPolicy extends BasePolicy {
  view(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId) || isEnrolledAdmin(caller)
  }

  update(caller: ApiCaller, userId: string) {
    return isSelf(caller, userId) || isEnrolledAdmin(caller)
  }

  /** `disabled` and `emailVerified`. Without them administrators still see and edit themselves. */
  administer(caller: ApiCaller) {
    return mayAdminister(caller)
  }

  changeRole(caller: ApiCaller) {
    return isEnrolledAdmin(caller)
  }

  /** Needs the current password, which administrators do not know: they send a reset mail. */
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
