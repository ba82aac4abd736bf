import {
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  E_FORBIDDEN,
  E_INVALID_CREDENTIALS,
  E_MFA_REQUIRED,
  E_PASSWORD_CHANGE_REQUIRED,
  E_WRONG_CODE,
} from '#auth/errors'
import { loginResponse } from '#transformers/token_response'
import { setTokenCookies } from '#auth/guards/api/token_cookies'
import type { HttpContext } from '@adonisjs/core/http'
import type { SignInResult } from '#auth/sign_in/sign_in'

/** The answer to a sign-in, whichever way it came in: the login response or a refusal. */
export function signInResponse(ctx: HttpContext, result: SignInResult) {
  switch (result.outcome) {
    case 'signed_in':
      setTokenCookies(ctx, result)
      return loginResponse(result)
    case 'mfa_required':
      throw E_MFA_REQUIRED.withToken(result)
    case 'wrong_credentials':
      throw E_INVALID_CREDENTIALS.withRemaining(result.attemptsRemaining)
    case 'wrong_code':
      throw E_WRONG_CODE.withRemaining(result.attemptsRemaining)
    case 'password_change_required':
      throw E_PASSWORD_CHANGE_REQUIRED.withToken(result.resetToken)
    case 'disabled':
      throw new E_ACCOUNT_DISABLED()
    case 'unverified':
      throw new E_EMAIL_UNVERIFIED()
    case 'not_admin':
      throw new E_FORBIDDEN()
    default:
      return result satisfies never
  }
}
