import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { limitOfRoute } from '#auth/api_keys/route_limits'
import { E_UNAUTHORIZED } from '#auth/errors'
import { accessCookie } from '#auth/guards/api/token_cookies'
import { throttleDelegated } from '#auth/lockout/throttle'
import { isFromClient } from '#http/client_credentials'
import { actorOf } from '#http/request_source'
import FormBodyMiddleware from './form_body_middleware.ts'
import app from '@adonisjs/core/services/app'

const authManager = await app.container.make('auth.manager')

/** `isKeyOnly` accepts API keys and client secrets but no tokens, for services that send forms. */
export default class AuthMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { isOptional = false, isKeyOnly = false } = {}) {
    ctx.auth = authManager.createAuthenticator(ctx)
    if (isKeyOnly) return this.#handleService(ctx, next)
    const isAnonymous = isOptional && !ctx.request.header('authorization') && !accessCookie(ctx)
    if (!isAnonymous) await this.#authenticate(ctx)
    return next()
  }

  /** Counts what a leaked key could write, before the request does anything else. */
  async #authenticate(ctx: HttpContext) {
    await ctx.auth.use('api').authenticate()
    const limit = limitOfRoute(ctx.route!)
    if (limit) await throttleDelegated(limit, actorOf(ctx))
  }

  /** A header is verified before the form is parsed; the form may replace only a missing header. */
  async #handleService(ctx: HttpContext, next: NextFn) {
    const parseForm = (then: NextFn) => new FormBodyMiddleware().handle(ctx, then)
    const api = ctx.auth.use('api')
    api.refuseTokens()
    if (ctx.request.header('authorization')) {
      if (!(await isFromClient(ctx))) await api.authenticate()
      return parseForm(next)
    }
    if (!ctx.request.is(['application/x-www-form-urlencoded'])) throw new E_UNAUTHORIZED()
    return parseForm(async () => {
      if (!(await isFromClient(ctx))) throw new E_UNAUTHORIZED()
      return next()
    })
  }
}
