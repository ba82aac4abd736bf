import type { HttpContext } from '@adonisjs/core/http'
import env from '#start/env'
import tokens from '#config/tokens'
import { appUrl, isHttps } from '#config/app'
import { cookieName } from '#config/cookies'
import { E_CROSS_SITE } from '#auth/errors'

// Scripts cannot read these cookies, so cross-site scripting cannot steal the tokens. Browsers send
// cookies by themselves, so a request with an unsafe method must come from this origin (CSRF).

export const hasCookies = env.get('AUTH_COOKIES') === 'on'

export const accessCookieName = cookieName('access')

const REFRESH = cookieName('refresh')

const options = {
  path: '/',
  httpOnly: true,
  secure: isHttps,
  sameSite: 'strict',
  encode: false,
} as const

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

function read({ request }: HttpContext, name: string) {
  return hasCookies ? (request.plainCookie(name, { encoded: false }) as string | null) : null
}

export function accessCookie(ctx: HttpContext) {
  return read(ctx, accessCookieName)
}

export function refreshCookie(ctx: HttpContext) {
  return read(ctx, REFRESH)
}

export function setTokenCookies(
  { response }: HttpContext,
  issued: { accessToken: string; refreshToken?: string }
) {
  if (!hasCookies) return
  const optionsFor = (ttlMs: number) => ({ ...options, maxAge: Math.floor(ttlMs / 1_000) })
  response.plainCookie(accessCookieName, issued.accessToken, optionsFor(tokens.accessTtlMs))
  if (issued.refreshToken) {
    response.plainCookie(REFRESH, issued.refreshToken, optionsFor(tokens.refreshTtlMs))
  }
}

export function clearTokenCookies({ response }: HttpContext) {
  if (!hasCookies) return
  response.clearCookie(accessCookieName, options)
  response.clearCookie(REFRESH, options)
}

/** Pages cannot set these headers; a client without them can send Bearer. @throws E_CROSS_SITE */
export function assertSameOrigin({ request }: HttpContext) {
  const { method, headers } = request.request
  if (SAFE_METHODS.has(method!)) return
  const site = headers['sec-fetch-site']
  const isSame = site ? site === 'same-origin' : headers.origin === new URL(appUrl).origin
  if (!isSame) throw new E_CROSS_SITE()
}
