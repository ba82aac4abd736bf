import { BasePolicy } from '@adonisjs/bouncer'
import { ADMIN_ROLE } from '#models/user'
import type { CallerUser } from '#auth/guards/caller'

/**
 * What a caller may do to a user. Policies take the id from the path and not a user: the
 * answer to a caller who may not is the same 403 whether or not the user exists.
 */
export default class UserPolicy extends BasePolicy {
  view(caller: CallerUser, userId: string) {
    return isSelf(caller, userId) || isAdmin(caller)
  }

  update(caller: CallerUser, userId: string) {
    return isSelf(caller, userId) || isAdmin(caller)
  }

  /** Role, `disabled` and `emailVerified`. */
  administer(caller: CallerUser) {
    return isAdmin(caller)
  }

  /** Needs the current password, which administrators do not know: they send a reset mail. */
  changePassword(caller: CallerUser, userId: string) {
    return isSelf(caller, userId)
  }

  revokeToken(caller: CallerUser, userId: string) {
    return isSelf(caller, userId) || isAdmin(caller)
  }
}

function isSelf(caller: CallerUser, userId: string) {
  return caller.id === userId
}

function isAdmin(caller: CallerUser) {
  return caller.role === ADMIN_ROLE
}
