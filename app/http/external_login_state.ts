import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/external'
import { appUrl, isHttps } from '#config/app'
import { E_EXTERNAL_STATE, E_RETURN_TO } from '#auth/errors'
import type { LinkTarget } from '#users/identities'
import type { AuthorizationRequest } from '#auth/external/provider'

/** A way to a provider and back, as the cookie of the browser remembers it. */
export interface PendingLogin extends AuthorizationRequest {
  provider: string
  /** Where the browser goes afterwards; without it the answer is JSON. */
  returnTo?: string
  /** Whose session wants the identity linked; it has to last until then. */
  linkTo?: LinkTarget
}

const PURPOSE = 'external login'

/** As we made it: 32 bytes in base64url. */
const STATE = /^[\w-]{43}$/

/** One cookie for each visit, so that two tabs do not disturb each other. */
function cookieName(state: string) {
  return `${isHttps ? '__Host-' : ''}external-${state.slice(0, 12)}`
}

const cookieOptions = { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' } as const

export function redirectUri(provider: string) {
  return `${appUrl}/auth/external/${provider}/callback`
}

/** Begins a visit and binds it to the browser. */
export function savePendingLogin(
  { response }: HttpContext,
  pending: Pick<PendingLogin, 'provider' | 'returnTo' | 'linkTo'>
): PendingLogin {
  const random = () => randomBytes(32).toString('base64url')
  const remembered = { ...pending, state: random(), nonce: random(), codeVerifier: random() }
  const maxAge = settings.pendingLoginTtlMs / 1_000
  response.encryptedCookie(
    cookieName(remembered.state),
    { ...remembered, purpose: PURPOSE, endsAt: Date.now() + settings.pendingLoginTtlMs },
    { ...cookieOptions, maxAge }
  )
  return remembered
}

/**
 * The visit that a callback belongs to: it began in this browser, at this provider, not
 * long ago. It is forgotten at once, whatever comes of it.
 *
 * @throws E_EXTERNAL_STATE
 */
export function takePendingLogin({ request, response, params }: HttpContext): PendingLogin {
  const state = request.qs().state
  if (typeof state !== 'string' || !STATE.test(state)) throw new E_EXTERNAL_STATE()
  const pending = request.encryptedCookie(cookieName(state))
  response.clearCookie(cookieName(state), cookieOptions)
  const isMine =
    pending?.purpose === PURPOSE && pending.state === state && pending.endsAt > Date.now()
  if (!isMine || pending.provider !== params.provider) throw new E_EXTERNAL_STATE()
  return pending
}

/** An address that a browser may be sent back to; nothing for a login that ends in JSON. */
export function allowedReturn(returnTo: string | undefined) {
  if (returnTo === undefined) return undefined
  const address = URL.parse(returnTo, appUrl)
  const isAllowed = address && settings.returnOrigins.includes(address.origin) && !address.username
  if (!isAllowed) throw new E_RETURN_TO()
  return address.href
}
