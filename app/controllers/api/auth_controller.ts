import type { HttpContext } from '@adonisjs/core/http'
import { deviceOf, sourceOf } from '#http/request_source'
import { loginValidator, refreshValidator, registerValidator } from '#validators/auth'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { registerUser } from '#users/register'
import { assertSameOrigin, refreshCookie, setTokenCookies } from '#auth/guards/api/token_cookies'
import { signIn } from '#auth/sign_in/sign_in'
import { refreshAccess } from '#auth/tokens/refresh'
import { refreshResponse } from '#auth/tokens/token_response'
import UserTransformer from '#transformers/user_transformer'
import { signInResponse } from '#http/sign_in_response'
import { bodyOf } from '#http/request_body'
import { newUserLocale } from '#pages/reader_language'

export default class AuthController {
  /** Counts only valid bodies, because a refused password must not use up the limit. */
  async register(ctx: HttpContext) {
    const values = await bodyOf(ctx, registerValidator)
    await throttleAddress('register', ctx.request.ip())
    const user = await registerUser({ ...values, locale: newUserLocale(ctx) }, sourceOf(ctx))
    return ctx.response.created(new UserTransformer(user).single({}))
  }

  async login(ctx: HttpContext) {
    const credentials = await bodyOf(ctx, loginValidator)
    return signInResponse(ctx, await signIn({ ...credentials, device: deviceOf(ctx) }))
  }

  /** The cookie is for pages of this origin. */
  async refresh(ctx: HttpContext) {
    const refreshed = await refreshAccess(await this.#refreshToken(ctx), () => sourceOf(ctx))
    setTokenCookies(ctx, refreshed)
    return refreshResponse(refreshed)
  }

  async #refreshToken(ctx: HttpContext) {
    const cookie = refreshCookie(ctx)
    if (cookie && !ctx.request.body()?.refreshToken) {
      assertSameOrigin(ctx)
      return cookie
    }
    const { refreshToken } = await bodyOf(ctx, refreshValidator)
    return refreshToken
  }
}
