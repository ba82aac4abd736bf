import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { accessCookie } from '#auth/guards/api/token_cookies'
import app from '@adonisjs/core/services/app'

const authManager = await app.container.make('auth.manager')

/** Requires an active access token; with `isOptional`, a request without a token passes. */
export default class AuthMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { isOptional = false } = {}) {
    ctx.auth = authManager.createAuthenticator(ctx)
    const isAnonymous = isOptional && !ctx.request.header('authorization') && !accessCookie(ctx)
    if (!isAnonymous) await ctx.auth.use('api').authenticate()
    return next()
  }
}
