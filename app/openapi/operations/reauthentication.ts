import {
  E_INCORRECT_PASSWORD,
  E_INVALID_CODE,
  E_MFA_SUSPENDED,
  E_RECENT_LOGIN_REQUIRED,
} from '#auth/errors'
import { E_BUSY, E_TOO_MANY_REQUESTS } from '#exceptions/http_errors'
import { reauthenticationValidator } from '#validators/auth'

/* Bodies, texts and refusals of operations that need a recent authentication. */

/** The body of an operation that takes nothing else. */
export const reauthenticationBody = { body: reauthenticationValidator, isBodyOptional: true }

export const reauthenticationRefusals = [
  E_INCORRECT_PASSWORD,
  E_INVALID_CODE,
  E_RECENT_LOGIN_REQUIRED,
  E_MFA_SUSPENDED,
  new E_TOO_MANY_REQUESTS().retryAfter(840),
  E_BUSY,
]

export const REAUTHENTICATION =
  'Needs `currentPassword` and, with multi-factor, `code`, unless the user logged in with all of them, or at a linked provider, in the last ten minutes.'

/** For keys and applications, other rules hold. */
export const USER_REAUTHENTICATION =
  'A user needs a login within the last ten minutes, or `currentPassword` and, with multi-factor, `code`.'
