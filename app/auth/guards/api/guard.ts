import { symbols } from '@adonisjs/auth'
import type { HttpContext } from '@adonisjs/core/http'
import type { AuthClientResponse, GuardContract } from '@adonisjs/auth/types'
import tokens from '#config/tokens'
import store from '#auth/store/service'
import { E_TOKEN_REVOKED, E_UNAUTHORIZED } from '#auth/errors'
import type { Refusal } from '#exceptions/refusal'
import { issueAccessToken, sessionOf, verifyAccessToken } from '#auth/tokens/access_tokens'
import { startSession } from '#auth/sessions/sessions'
import { accessCookie, assertSameOrigin, hasCookies } from './token_cookies.ts'
import type { Caller, TokenSubject } from '#auth/guards/caller'

/** RFC 6750, section 2.1: the scheme is case-insensitive. What follows is a token or is refused as one. */
const BEARER = /^bearer +/i

/**
 * Identifies the caller by a Bearer access token. The signature is checked once a token,
 * the store once a request: a token that was revoked, or whose session has ended, is
 * refused by every process from that moment on.
 */
export class JwtGuard implements GuardContract<Caller> {
  readonly driverName = 'jwt';
  declare [symbols.GUARD_KNOWN_EVENTS]: Record<string, never>

  user?: Caller
  isAuthenticated = false
  authenticationAttempted = false

  /** The token that the request carries, once it has been looked at. */
  token = ''

  readonly #ctx: HttpContext

  constructor(ctx: HttpContext) {
    this.#ctx = ctx
  }

  getUserOrFail(): Caller {
    if (!this.user) throw new E_UNAUTHORIZED()
    return this.user
  }

  async authenticate(): Promise<Caller> {
    this.authenticationAttempted = true
    this.token = this.#presentedToken()
    const claims = verifyAccessToken(this.token)
    if (!claims) throw invalidToken(new E_UNAUTHORIZED())
    const token = { userId: claims.sub, sessionId: sessionOf(claims), tokenId: claims.jti }
    const now = Date.now()
    const tokenStatus = await store.tokenStatus(token, now)
    if (!tokenStatus.isActive) throw invalidToken(new E_TOKEN_REVOKED())
    if (now - tokenStatus.lastActivityAt > tokens.touchIntervalMs) this.#touch(token, now)
    this.isAuthenticated = true
    this.user = {
      id: claims.sub,
      email: claims.email,
      role: claims.role,
      sessionId: token.sessionId,
      tokenId: claims.jti,
      expiresAt: claims.exp * 1_000,
      version: tokenStatus.userVersion,
    }
    return this.user
  }

  /**
   * Looks again whether the caller still may, for a request that went on after it was let
   * in: whoever holds its body back must not act on a token that was revoked meanwhile.
   */
  async confirm() {
    if (this.isAuthenticated) await this.authenticate()
  }

  /** A Bearer header wins over a cookie: who sends one knows what they do. */
  #presentedToken() {
    const header = this.#ctx.request.request.headers.authorization
    if (!header && hasCookies) return this.#cookieToken()
    const scheme = header && BEARER.exec(header)?.[0]
    if (scheme) return header.slice(scheme.length)
    throw header ? invalidToken(new E_UNAUTHORIZED()) : new E_UNAUTHORIZED()
  }

  #cookieToken() {
    const token = accessCookie(this.#ctx)
    if (!token) throw new E_UNAUTHORIZED()
    assertSameOrigin(this.#ctx)
    return token
  }

  /** Off the request's path: the last activity is a hint, and a request does not fail for it. */
  #touch({ userId, sessionId }: { userId: string; sessionId: string }, now: number) {
    store
      .touchSession(userId, sessionId, now)
      .catch((error) => this.#ctx.logger.warn({ err: error }, 'last activity was not written'))
  }

  /** Refusals mean “nobody”; any other failure stays a failure and never reads as “nobody”. */
  async check(): Promise<boolean> {
    try {
      await this.authenticate()
      return true
    } catch (error) {
      if (error instanceof E_UNAUTHORIZED || error instanceof E_TOKEN_REVOKED) return false
      throw error
    }
  }

  /** Signs a test's client in on a session of its own. */
  async authenticateAsClient(user: TokenSubject): Promise<AuthClientResponse> {
    const device = { id: 'default', ip: '127.0.0.1', userAgent: null }
    const { session } = await startSession(user, device)
    return { headers: { authorization: `Bearer ${issueAccessToken(user, session.id)}` } }
  }
}

/** RFC 6750, section 3.1: the error is named only when a token was presented. */
function invalidToken(refusal: Refusal) {
  refusal.headers['www-authenticate'] = 'Bearer error="invalid_token"'
  return refusal
}
