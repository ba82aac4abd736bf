import Bowser from 'bowser'

/** Where a request comes from, as the audit trail records it. */
export interface RequestSource {
  ip: string
  /** The beginning of the `User-Agent` header (`limits.userAgent`). */
  userAgent: string | null
}

/** By what a client is known at its next sign-in (`app/auth/devices`). */
export interface Recognition {
  /** `x-device-id`, or the id that the server chose for a browser. */
  deviceId: string
  /** The device tokens that the request brings, genuine or not: a browser has one of each user. */
  tokens: string[]
}

/** The client that a session belongs to. */
export interface Device extends RequestSource {
  /** `x-device-id`, or `default`. */
  id: string
  /** Set for pages: the client of their sessions is a cookie and holds no tokens. */
  client?: 'web'
  /** Missing for a client that neither sends `x-device-id` nor keeps the cookie. */
  recognition?: Recognition
}

export const DEFAULT_DEVICE_ID = 'default'

/**
 * In characters. A client chooses what it calls itself: a longer name would push the buttons
 * of a list of sessions off the screen, where the owner can no longer end them.
 */
const NAME_MAX_LENGTH = 40

/** A name that users recognise in a list of sessions, such as “Chrome on Windows”. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const parts = [browser.name || userAgent.split(/[/\s]/, 1)[0], os.name]
  return parts.filter(Boolean).join(' on ').slice(0, NAME_MAX_LENGTH) || 'Unknown device'
}
