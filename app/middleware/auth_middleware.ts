import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { accessCookie } from '#auth/guards/api/token_cookies'
import app from '@adonisjs/core/services/app'

const authManager = await app.container.make('auth.manager')

/**
 * Requires an active access token or API key; with `isOptional`, a request without either
 * passes, and with `isKeyOnly` no token does.
 */
export default class AuthMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { isOptional = false, isKeyOnly = false } = {}) {
    ctx.auth = authManager.createAuthenticator(ctx)
    const api = ctx.auth.use('api')
    if (isKeyOnly) api.refuseTokens()
    const isAnonymous = isOptional && !ctx.request.header('authorization') && !accessCookie(ctx)
    if (!isAnonymous) await api.authenticate()
    return next()
  }
}
