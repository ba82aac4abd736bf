import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import app from '@adonisjs/core/services/app'

const authManager = await app.container.make('auth.manager')

/** Refuses a request that does not carry a token in good standing. */
export default class AuthMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    ctx.auth = authManager.createAuthenticator(ctx)
    await ctx.auth.use('api').authenticate()
    return next()
  }
}
