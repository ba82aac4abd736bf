import { symbols } from '@adonisjs/auth'
import type { HttpContext } from '@adonisjs/core/http'
import type { AuthClientResponse, GuardContract } from '@adonisjs/auth/types'
import settings from '#config/web_session'
import { E_UNAUTHORIZED } from '#auth/errors'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { webCookie, findWebCaller, type WebCaller } from '#auth/sessions/web_session'
import { sessionCookie } from './session_cookie.ts'
import type { CallerUser } from '#auth/guards/caller'

/** Reads user and session each time: a changed role or ended session takes effect immediately. */
export class WebGuard implements GuardContract<unknown> {
  readonly driverName = 'web';
  declare [symbols.GUARD_KNOWN_EVENTS]: Record<string, never>

  user?: WebCaller
  isAuthenticated = false
  authenticationAttempted = false

  readonly #ctx: HttpContext

  constructor(ctx: HttpContext) {
    this.#ctx = ctx
  }

  /** @throws E_UNAUTHORIZED */
  getUserOrFail(): WebCaller {
    if (!this.user) throw new E_UNAUTHORIZED()
    return this.user
  }

  async authenticate(): Promise<WebCaller> {
    this.authenticationAttempted = true
    const caller = await findWebCaller(sessionCookie(this.#ctx))
    if (!caller) throw new E_UNAUTHORIZED()
    this.isAuthenticated = true
    this.user = caller
    return caller
  }

  /** Rethrows the error of a store that is down, which must not be taken for “not signed in”. */
  async check(): Promise<boolean> {
    try {
      await this.authenticate()
      return true
    } catch (error) {
      if (error instanceof E_UNAUTHORIZED) return false
      throw error
    }
  }

  async authenticateAsClient(user: CallerUser): Promise<AuthClientResponse> {
    const device = { id: 'default', ip: '127.0.0.1', userAgent: null, client: 'web' } as const
    const { session, refreshToken } = await startSession(user, { device, ...BY_PASSWORD })
    return { headers: { cookie: `${settings.cookieName}=${webCookie(session, refreshToken)}` } }
  }
}
