import type { HttpContext } from '@adonisjs/core/http'
import { deviceOf, originOf } from '#controllers/request_origin'
import { loginValidator, refreshValidator, registerValidator } from '#validators/auth'
import { throttleLogin, throttleRegistration } from '#auth/lockout/throttle'
import { registerAccount } from '#auth/accounts/registration'
import { signIn } from '#auth/sign_in'
import { refreshAccess } from '#auth/tokens/refresh'
import {
  E_ACCOUNT_DISABLED,
  E_EMAIL_UNVERIFIED,
  E_FORBIDDEN,
  E_INVALID_CREDENTIALS,
  E_PASSWORD_CHANGE_REQUIRED,
} from '#auth/errors'
import { loginResponse, refreshResponse } from '#transformers/token_response'
import UserTransformer from '#transformers/user_transformer'
import { bodyOf } from './request_body.ts'

/** Registration, login and refresh: the routes that need no access token. */
export default class AuthController {
  async register(ctx: HttpContext) {
    const account = await bodyOf(ctx, registerValidator)
    await throttleRegistration(ctx.request.ip())
    const user = await registerAccount(account, originOf(ctx))
    return ctx.response.created(new UserTransformer(user).toObject())
  }

  async login(ctx: HttpContext) {
    const credentials = await bodyOf(ctx, loginValidator)
    const device = deviceOf(ctx)
    await throttleLogin(device.ip, credentials.email)
    const result = await signIn({ ...credentials, device })
    switch (result.outcome) {
      case 'signed_in':
        return loginResponse(result)
      case 'wrong_credentials':
        throw E_INVALID_CREDENTIALS.withRemaining(result.attemptsRemaining)
      case 'disabled':
        throw new E_ACCOUNT_DISABLED()
      case 'unverified':
        throw new E_EMAIL_UNVERIFIED()
      case 'password_change_required':
        throw E_PASSWORD_CHANGE_REQUIRED.withToken(result.resetToken)
      case 'not_admin':
        throw new E_FORBIDDEN()
      default:
        return result satisfies never
    }
  }

  async refresh(ctx: HttpContext) {
    const { refreshToken } = await bodyOf(ctx, refreshValidator)
    return refreshResponse(await refreshAccess(refreshToken))
  }
}
