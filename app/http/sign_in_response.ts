import { setTokenCookies } from '#auth/guards/api/token_cookies'
import { refusalOf, type SignInResult } from '#auth/sign_in/result'
import { loginResponse } from '#auth/tokens/token_response'
import { sendDeviceToken } from './device_cookie.ts'
import type { HttpContext } from '@adonisjs/core/http'

/** @throws the error of every outcome other than a session */
export function signInResponse(ctx: HttpContext, result: SignInResult) {
  if (result.outcome !== 'signed_in') throw refusalOf(result)
  setTokenCookies(ctx, result)
  sendDeviceToken(ctx, result)
  return loginResponse(result)
}
