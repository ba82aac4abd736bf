import Bowser from 'bowser'

/** Where a request comes from, as a session and the audit trail record it. */
export interface Device {
  /** `x-device-id`, or `default`. */
  id: string
  ip: string
  /** The first 512 characters of the `User-Agent` header. */
  userAgent: string | null
  /** Set for the console, whose sessions are cookies and admit administrators only. */
  client?: 'console'
}

export const DEFAULT_DEVICE_ID = 'default'
export const USER_AGENT_MAX_LENGTH = 512

/** A name that a person recognises: “Chrome on Windows”. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const parts = [browser.name || userAgent.split(/[/\s]/, 1)[0], os.name]
  return parts.filter(Boolean).join(' on ').slice(0, 128) || 'Unknown device'
}
