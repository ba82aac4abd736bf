import Bowser from 'bowser'

export interface RequestSource {
  ip: string
  userAgent: string | null
}

export interface Recognition {
  /** `x-device-id`, or the id that the server chose for a browser. */
  deviceId: string
  /** Device tokens, not yet verified: a browser has one for each of its users. */
  tokens: string[]
}

export interface Device extends RequestSource {
  /** `x-device-id`, or `default`. */
  id: string
  /** Set for pages: the client of their sessions is a cookie and holds no tokens. */
  client?: 'web'
  recognition?: Recognition
}

export const DEFAULT_DEVICE_ID = 'default'

// A longer name would push the button that ends a session off the screen of its owner.
const NAME_MAX_LENGTH = 40

export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const parts = [browser.name || userAgent.split(/[/\s]/, 1)[0], os.name]
  return parts.filter(Boolean).join(' on ').slice(0, NAME_MAX_LENGTH) || 'Unknown device'
}
