import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/external'
import { appUrl, isHttps } from '#config/app'
import { E_EXTERNAL_STATE } from '#auth/errors'
import type { LinkTarget } from '#users/identities'
import type { AuthorizationRequest } from '#auth/external/provider'

/*
 | The authorization request of an external login (RFC 6749, section 4.1.1), kept in an
 | encrypted cookie until the provider sends the browser back. The cookie binds `state`,
 | `nonce` and the PKCE code verifier to the browser that started the login, so that an
 | attacker cannot sign a victim in with a response of their own (login CSRF).
 */

export interface PendingAuthorization extends AuthorizationRequest {
  provider: string
  /** Where the browser is redirected afterwards; without it the response is JSON. */
  returnTo?: string
  /** The page that a sign-in of the pages leads to; set for those alone. */
  next?: string
  /** The SHA-256 of the verifier that the exchange of the code needs. */
  codeChallenge?: string
  /** The user and session to which the identity is linked; the session has to last until then. */
  linkTo?: LinkTarget
}

/** What a request is for, without its secrets. */
export type AuthorizationGoal = Omit<
  PendingAuthorization,
  'state' | 'nonce' | 'codeVerifier' | 'startedAt'
>

/** Part of the cookie's content: no other encrypted cookie passes for this one. */
const PURPOSE = 'external login'

/** The form of `state`: 32 bytes in base64url. Other values never become a cookie's name. */
const STATE = /^[\w-]{43}$/

/** One cookie for each authorization request, so that two tabs can log in at the same time. */
function cookieName(state: string) {
  return `${isHttps ? '__Host-' : ''}external-${state.slice(0, 12)}`
}

/** `lax`, because the provider's redirect back is a navigation from another site. */
const cookieOptions = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const

/** The `redirect_uri` that is registered at the provider. */
export function redirectUri(provider: string) {
  return `${appUrl}/auth/external/${provider}/callback`
}

/** Makes an authorization request and saves it in the browser. */
export function saveAuthorizationRequest(
  { response }: HttpContext,
  goal: AuthorizationGoal
): PendingAuthorization {
  /** 256 bits each: an attacker can guess neither `state` nor the code verifier. */
  const random = () => randomBytes(32).toString('base64url')
  const secrets = { state: random(), nonce: random(), codeVerifier: random() }
  const pending = { ...goal, ...secrets, startedAt: Date.now() }
  const maxAge = settings.pendingLoginTtlMs / 1_000
  response.encryptedCookie(
    cookieName(pending.state),
    { ...pending, purpose: PURPOSE, endsAt: Date.now() + settings.pendingLoginTtlMs },
    { ...cookieOptions, maxAge }
  )
  return pending
}

/**
 * The authorization request that a callback responds to: made for this browser and this
 * provider, and not expired. Its cookie is cleared whatever the outcome, so that a second
 * callback with the same state is refused.
 *
 * @throws E_EXTERNAL_STATE
 */
export function takeAuthorizationRequestOrFail(ctx: HttpContext): PendingAuthorization {
  const { request, response, params } = ctx
  const state = request.qs().state
  if (typeof state !== 'string' || !STATE.test(state)) throw new E_EXTERNAL_STATE()
  const pending = request.encryptedCookie(cookieName(state))
  response.clearCookie(cookieName(state), cookieOptions)
  const isValid =
    pending?.purpose === PURPOSE && pending.state === state && pending.endsAt > Date.now()
  if (!isValid || pending.provider !== params.provider) throw new E_EXTERNAL_STATE()
  return pending
}
