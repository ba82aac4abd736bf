import { randomUUID } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import lockout from '#config/lockout'
import { isHttps } from '#config/app'
import { browserIdOf, DEVICE_COOKIE, MOST_USERS, SEPARATOR } from '#auth/devices/browser_id'
import { verifyDeviceToken } from '#auth/devices/device_token'
import { hasCookies } from '#auth/guards/api/token_cookies'
import type { Recognition } from '#auth/sessions/device'

/* The cookie contains a token for each user of a browser, so that no user replaces another. */

/** Still read, so that an upgrade forgets no device. Values without our signature do not count. */
const PREVIOUS_COOKIE = isHttps ? '__Host-device' : 'device'

const MAX_LENGTH = 3_800

/** `lax`, because a provider's redirect must send it. The cookie itself grants no access. */
const options = {
  path: '/',
  httpOnly: true,
  secure: isHttps,
  sameSite: 'lax',
  encode: false,
  maxAge: lockout.deviceTtlMs / 1_000,
} as const

export function recognitionOf(ctx: HttpContext, deviceId?: string): Recognition | undefined {
  if (!lockout.hasKnownDevices) return undefined
  const token = ctx.request.header('x-device-token')
  const tokens = token ? [token] : []
  if (deviceId !== undefined && (token || !hasCookies)) return { deviceId, tokens }
  return hasCookies ? recognitionByCookie(ctx) : undefined
}

export function recognitionByCookie(ctx: HttpContext): Recognition | undefined {
  if (!lockout.hasKnownDevices) return undefined
  const devices = devicesOf(ctx)
  const deviceId = devices[0]?.claims.deviceId ?? randomUUID()
  return { deviceId, tokens: devices.map(({ token }) => token) }
}

export function browserId(ctx: HttpContext) {
  return browserIdOf(readCookie(ctx))
}

function readCookie({ request }: HttpContext) {
  const read = (name: string): string | null => request.plainCookie(name, { encoded: false })
  return read(DEVICE_COOKIE) ?? read(PREVIOUS_COOKIE) ?? ''
}

function devicesOf(ctx: HttpContext) {
  const tokens = readCookie(ctx).split(SEPARATOR, MOST_USERS)
  return tokens.flatMap((token) => {
    const claims = verifyDeviceToken(token)
    return claims ? [{ token, claims }] : []
  })
}

export function sendDeviceToken(ctx: HttpContext, { deviceToken }: { deviceToken: string | null }) {
  if (!deviceToken) return
  if (hasCookies) setDeviceCookie(ctx, deviceToken)
  else ctx.response.header('x-device-token', deviceToken)
}

export function setDeviceCookie(ctx: HttpContext, deviceToken: string | null) {
  if (!deviceToken) return
  const { sub } = verifyDeviceToken(deviceToken)!
  const others = devicesOf(ctx).filter(({ claims }) => claims.sub !== sub)
  const tokens = [deviceToken, ...others.map(({ token }) => token)].slice(0, MOST_USERS)
  while (tokens.length > 1 && tokens.join(SEPARATOR).length > MAX_LENGTH) tokens.pop()
  ctx.response.plainCookie(DEVICE_COOKIE, tokens.join(SEPARATOR), options)
}
