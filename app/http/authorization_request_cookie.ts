import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/external'
import limits from '#config/limits'
import { isHttps } from '#config/app'
import { cookieName } from '#config/cookies'
import { E_EXTERNAL_STATE } from '#auth/errors'
import type { LinkTarget } from '#users/identities'
import type { AuthorizationRequest } from '#auth/external/provider'

/* Encrypted cookie of `state`, `nonce` and PKCE verifier against login CSRF (RFC 6749, 4.1.1). */

export interface PendingAuthorization extends AuthorizationRequest {
  provider: string
  returnTo?: string
  /** Set only for a sign-in to the pages. */
  next?: string
  codeChallenge?: string
  /** For a link: the session must still be active when the identity is linked. */
  linkTo?: LinkTarget
}

export type AuthorizationGoal = Omit<
  PendingAuthorization,
  'state' | 'nonce' | 'codeVerifier' | 'startedAt'
>

/** Part of the content, so that no other encrypted cookie passes for this one. */
const PURPOSE = 'external login'

/** 32 bytes in base64url. Other values never become the name of a cookie. */
const STATE = /^[\w-]{43}$/

/** One cookie for each authorization request, so that two tabs can log in at the same time. */
function cookieOf(state: string) {
  return cookieName(`external_${state.slice(0, 12)}`)
}

const PENDING = new RegExp(`^${cookieName('external_')}[\\w-]{12}$`)

/** Splits first, because one expression for the whole header would backtrack over many blanks. */
export function pendingCookies(header = '') {
  return header.split(';').flatMap((pair) => {
    const [name, ...value] = pair.trim().split('=')
    return PENDING.test(name) ? [{ name, bytes: name.length + value.join('=').length }] : []
  })
}

/** Another site can start any number of logins, whose cookies would make a request too large. */
function forgetOldest({ request, response }: HttpContext) {
  let total = 0
  // Browsers send the oldest cookie first (RFC 6265, section 5.4).
  for (const { name, bytes } of pendingCookies(request.header('cookie')).toReversed()) {
    total += bytes
    if (total > limits.pendingLoginBytes) response.clearCookie(name, cookieOptions)
  }
}

/** `lax`, because the provider's redirect back is a navigation from another site. */
const cookieOptions = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const

export function saveAuthorizationRequest(
  ctx: HttpContext,
  goal: AuthorizationGoal
): PendingAuthorization {
  const { response } = ctx
  forgetOldest(ctx)
  /** Each has 256 bits, so an attacker can guess neither `state` nor the code verifier. */
  const random = () => randomBytes(32).toString('base64url')
  const secrets = { state: random(), nonce: random(), codeVerifier: random() }
  const pending = { ...goal, ...secrets, startedAt: Date.now() }
  const maxAge = settings.pendingLoginTtlMs / 1_000
  response.encryptedCookie(
    cookieOf(pending.state),
    { ...pending, purpose: PURPOSE, endsAt: Date.now() + settings.pendingLoginTtlMs },
    { ...cookieOptions, maxAge }
  )
  return pending
}

/** Always clears the cookie, so that a replayed callback is refused. @throws E_EXTERNAL_STATE */
export function pullAuthorizationRequestOrFail(ctx: HttpContext): PendingAuthorization {
  const { request, response, params } = ctx
  const state = request.qs().state
  if (typeof state !== 'string' || !STATE.test(state)) throw new E_EXTERNAL_STATE()
  const pending = request.encryptedCookie(cookieOf(state))
  response.clearCookie(cookieOf(state), cookieOptions)
  const isValid =
    pending?.purpose === PURPOSE && pending.state === state && pending.endsAt > Date.now()
  if (!isValid || pending.provider !== params.provider) throw new E_EXTERNAL_STATE()
  return pending
}
