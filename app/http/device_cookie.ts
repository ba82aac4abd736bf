import { randomUUID } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import lockout from '#config/lockout'
import { isHttps } from '#config/app'
import { verifyDeviceToken } from '#auth/devices/device_token'
import { hasCookies } from '#auth/guards/api/token_cookies'
import type { Recognition } from '#auth/sessions/device'

/*
 | How a client keeps its device token: in a header beside its `x-device-id`, or, for pages
 | and with `AUTH_COOKIES=on`, in a cookie, whose device id the server makes.
 */

const COOKIE = isHttps ? '__Host-device' : 'device'

/**
 * `lax`, because the browser that an external provider sends back must bring it. Another site
 * gains nothing by that: the cookie opens nothing by itself.
 */
const options = {
  path: '/',
  httpOnly: true,
  secure: isHttps,
  sameSite: 'lax',
  encode: false,
  maxAge: lockout.deviceTtlMs / 1_000,
} as const

/** By what the client of a request to the API is known. */
export function recognitionOf(ctx: HttpContext, deviceId?: string): Recognition | undefined {
  if (!lockout.hasKnownDevices) return undefined
  const token = ctx.request.header('x-device-token') ?? null
  if (deviceId !== undefined && (token || !hasCookies)) return { deviceId, token }
  return hasCookies ? recognitionByCookie(ctx) : undefined
}

/** By what the browser of a page is known. Another user's cookie keeps the id of the device. */
export function recognitionByCookie({ request }: HttpContext): Recognition | undefined {
  if (!lockout.hasKnownDevices) return undefined
  const token: string | null = request.plainCookie(COOKIE, { encoded: false }) ?? null
  const deviceId = token && verifyDeviceToken(token)?.deviceId
  return { deviceId: deviceId || randomUUID(), token }
}

/** Hands the device token of a sign-in to a client of the API. */
export function sendDeviceToken(ctx: HttpContext, { deviceToken }: { deviceToken: string | null }) {
  if (!deviceToken) return
  if (hasCookies) setDeviceCookie(ctx, deviceToken)
  else ctx.response.header('x-device-token', deviceToken)
}

export function setDeviceCookie({ response }: HttpContext, deviceToken: string | null) {
  if (deviceToken) response.plainCookie(COOKIE, deviceToken, options)
}
