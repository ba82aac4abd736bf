import { symbols } from '@adonisjs/auth'
import type { HttpContext } from '@adonisjs/core/http'
import type { AuthClientResponse, GuardContract } from '@adonisjs/auth/types'
import tokens from '#config/tokens'
import { findKeyCaller } from '#auth/api_keys/key_caller'
import { isKey } from '#auth/api_keys/key_format'
import { opensRoute, PROFILE_SCOPE, scopeOfRoute } from '#auth/api_keys/route_scopes'
import store from '#auth/store/service'
import { E_INSUFFICIENT_SCOPE, E_TOKEN_REVOKED, E_UNAUTHORIZED, invalidToken } from '#auth/errors'
import { underOneConfiguration } from '#database/configuration_version'
import {
  issueAccessToken,
  sessionOf,
  verifyAccessToken,
  type AccessClaims,
} from '#auth/tokens/access_tokens'
import { hasCurrentClaims } from '#auth/tokens/current_claims'
import { currentScopes, findClientAccess } from '#auth/tokens/client_access'
import { isRememberedAsDeleted } from '#auth/tokens/deleted_clients'
import { scopesOf } from '#auth/api_keys/scopes'
import { findUserRecord } from '#transformers/user_record_cache'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { bearerToken } from './bearer.ts'
import { accessCookie, assertSameOrigin, hasCookies } from './token_cookies.ts'
import type { TokenReference } from '#auth/store/contract'
import type { Caller, CallerUser, CallingClient } from '#auth/guards/caller'

export interface ApiCaller extends Caller {
  user: CallerUser & { version: string }
}

/** Asks the store at each request: every process refuses a revoked token from that moment on. */
export class ApiGuard implements GuardContract<unknown> {
  readonly driverName = 'jwt';
  declare [symbols.GUARD_KNOWN_EVENTS]: Record<string, never>

  user?: ApiCaller
  isAuthenticated = false
  authenticationAttempted = false

  token = ''

  readonly #ctx: HttpContext
  #takesTokens = true

  constructor(ctx: HttpContext) {
    this.#ctx = ctx
  }

  /** @throws E_UNAUTHORIZED */
  getUserOrFail(): ApiCaller {
    if (!this.user) throw new E_UNAUTHORIZED()
    return this.user
  }

  /** For routes of services: accepts only API keys from now on. */
  refuseTokens() {
    this.#takesTokens = false
  }

  /** @throws E_UNAUTHORIZED, E_TOKEN_REVOKED, E_INSUFFICIENT_SCOPE, E_CROSS_SITE */
  async authenticate(): Promise<ApiCaller> {
    this.authenticationAttempted = true
    this.token = this.#presentedToken()
    if (isKey(this.token)) return this.#authenticateKey()
    if (!this.#takesTokens) throw invalidToken(new E_UNAUTHORIZED())
    return this.#authenticateToken()
  }

  // Key pairs and deleted clients are cached in memory. A user's HS256 token needs neither of them.
  async #authenticateToken(): Promise<ApiCaller> {
    const claims = verifyAccessToken(this.token)
    const isAlone = !(claims instanceof Promise) && claims?.client_id === undefined
    if (isAlone) return this.#callerOf(claims)
    const read = () => store.readConfiguration()
    return underOneConfiguration(read, async () =>
      this.#callerOf(await verifyAccessToken(this.token))
    )
  }

  async #callerOf(claims: Awaited<ReturnType<typeof verifyAccessToken>>): Promise<ApiCaller> {
    if (!claims) throw invalidToken(new E_UNAUTHORIZED())
    if (await isRememberedAsDeleted(claims.client_id)) throw invalidToken(new E_TOKEN_REVOKED())
    const token = { userId: claims.sub, sessionId: sessionOf(claims), tokenId: claims.jti }
    const now = Date.now()
    const tokenStatus = await store.tokenStatus(token, now)
    if (!tokenStatus.isActive) throw invalidToken(new E_TOKEN_REVOKED())
    if (claims.claims_hash) await this.#assertCurrentClaims(claims, tokenStatus.userVersion)
    if (now - tokenStatus.lastActivityAt > tokens.touchIntervalMs) this.#touch(token, now)
    const user = await this.#userOf(claims, tokenStatus.userVersion)
    this.isAuthenticated = true
    const client = await this.#clientOf(claims, token, tokenStatus.userVersion)
    this.user = { user, session: { id: token.sessionId }, client }
    if (client) this.#assertWithinScope(client, user)
    return this.user
  }

  async #assertCurrentClaims(claims: AccessClaims & { sub: string }, userVersion: string) {
    if (await hasCurrentClaims(claims, userVersion)) return
    throw invalidToken(new E_TOKEN_REVOKED())
  }

  async #clientOf(
    { client_id: id, scope }: AccessClaims,
    token: TokenReference,
    userVersion: string
  ): Promise<CallingClient | undefined> {
    if (id === undefined) return undefined
    const access = await findClientAccess({ ...token, clientId: id, userVersion })
    if (!access) throw invalidToken(new E_TOKEN_REVOKED())
    return { id, isFirstParty: access.isFirstParty, scopes: currentScopes(access, scope) }
  }

  // An application's token lacks claims that its scopes do not show: the cached record has them.
  async #userOf({ sub: id, email, role }: AccessClaims & { sub: string }, version: string) {
    if (email !== undefined && role !== undefined) return { id, email, role, version }
    const cached = await findUserRecord(id, version)
    if (!cached) throw invalidToken(new E_TOKEN_REVOKED())
    const { record } = cached
    return { id, email: record.email as string, role: record.role, version }
  }

  // An application acts within its scopes, on routes for API keys, and within the user's role.
  #assertWithinScope({ scopes }: CallingClient, { role }: CallerUser) {
    const granted = scopes.map((each) => (each === 'openid' ? PROFILE_SCOPE : each))
    const needed = scopeOfRoute(this.#ctx.route)
    const isGranted = needed && granted.includes(needed)
    if (!isGranted || !scopesOf({ role, kind: 'person' }).includes(needed))
      throw new E_INSUFFICIENT_SCOPE()
  }

  async #authenticateKey(): Promise<ApiCaller> {
    const { request, route, logger } = this.#ctx
    const found = await findKeyCaller(this.token, { ip: request.ip(), logger })
    if (!found) throw invalidToken(new E_UNAUTHORIZED())
    this.isAuthenticated = true
    this.user = found
    if (!opensRoute(found.apiKey.scopes, route)) throw new E_INSUFFICIENT_SCOPE()
    return this.user
  }

  /** A client must not delay its body, and then act with a token that was revoked in between. */
  async authenticateAgain() {
    if (this.isAuthenticated) await this.authenticate()
  }

  // A Bearer header takes precedence over a cookie. Browsers send cookies by themselves, as they do
  // with the password of a proxy (Basic).
  #presentedToken() {
    const token = bearerToken(this.#ctx.request)
    if (token !== undefined) return token
    if (hasCookies) return this.#cookieToken()
    throw new E_UNAUTHORIZED()
  }

  #cookieToken() {
    const token = accessCookie(this.#ctx)
    if (!token) throw new E_UNAUTHORIZED()
    assertSameOrigin(this.#ctx)
    return token
  }

  // Not awaited: the last activity is informative, so no request waits for it or fails.
  #touch({ userId, sessionId }: { userId: string; sessionId: string }, now: number) {
    store
      .touchSession(userId, sessionId, now)
      .catch((error) => this.#ctx.logger.warn({ err: error }, 'last activity was not written'))
  }

  /** Rethrows the error of a store that is down, which must not be taken for “not signed in”. */
  async check(): Promise<boolean> {
    try {
      await this.authenticate()
      return true
    } catch (error) {
      if (error instanceof E_UNAUTHORIZED || error instanceof E_TOKEN_REVOKED) return false
      throw error
    }
  }

  async authenticateAsClient(user: CallerUser): Promise<AuthClientResponse> {
    const device = { id: 'default', ip: '127.0.0.1', userAgent: null }
    const { session } = await startSession(user, { device, ...BY_PASSWORD })
    return { headers: { authorization: `Bearer ${await issueAccessToken(user, session.id)}` } }
  }
}
