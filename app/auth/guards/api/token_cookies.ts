import type { HttpContext } from '@adonisjs/core/http'
import env from '#start/env'
import tokens from '#config/tokens'
import { appUrl, isHttps } from '#config/app'
import { E_CROSS_SITE } from '#auth/errors'

/*
 | `AUTH_COOKIES=on`: tokens in cookies that no script can read, for web pages of the same
 | site. A browser sends them by itself, so a request that changes something must show
 | that a page of this origin sent it.
 */

export const hasCookies = env.get('AUTH_COOKIES') === 'on'

const prefix = isHttps ? '__Host-' : ''
const ACCESS = `${prefix}access`
const REFRESH = `${prefix}refresh`

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
  return read(ctx, ACCESS)
}

export function refreshCookie(ctx: HttpContext) {
  return read(ctx, REFRESH)
}

/** Hands tokens to a browser; nothing where cookies are off. */
export function setTokenCookies(
  { response }: HttpContext,
  issued: { accessToken: string; refreshToken?: string }
) {
  if (!hasCookies) return
  const lives = (milliseconds: number) => ({ ...options, maxAge: Math.floor(milliseconds / 1_000) })
  response.plainCookie(ACCESS, issued.accessToken, lives(tokens.accessTtlMs))
  if (issued.refreshToken) {
    response.plainCookie(REFRESH, issued.refreshToken, lives(tokens.refreshTtlMs))
  }
}

/** Takes the tokens back with the session that they belong to. */
export function clearTokenCookies({ response }: HttpContext) {
  if (!hasCookies) return
  response.clearCookie(ACCESS, options)
  response.clearCookie(REFRESH, options)
}

/**
 * Refuses a request by cookie that another site may have caused. Browsers say where a
 * request comes from, and pages cannot make them lie; who says nothing is no browser and
 * can send a Bearer header.
 *
 * @throws E_CROSS_SITE
 */
export function assertSameOrigin({ request }: HttpContext) {
  const { method, headers } = request.request
  if (SAFE_METHODS.has(method!)) return
  const site = headers['sec-fetch-site']
  const isSame = site ? site === 'same-origin' : headers.origin === new URL(appUrl).origin
  if (!isSame) throw new E_CROSS_SITE()
}
