import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import SessionMiddleware from '@adonisjs/session/session_middleware'
import { valuesCookie } from '#config/session'
import { E_FORM_EXPIRED } from '#exceptions/http_errors'

/**
 * Browsers send no cookie with the form of another site (`SameSite=Lax`), but keep what its answer
 * sets. So it is refused first: new values would void the open forms, and a sign-in page the session.
 */
export default class PageSessionMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { request, containerResolver } = ctx
    const isForm = !['GET', 'HEAD'].includes(request.method())
    if (isForm && !(valuesCookie in request.cookiesList())) throw new E_FORM_EXPIRED()
    const session = await containerResolver.make(SessionMiddleware)
    return session.handle(ctx, next)
  }
}
