import { invalidField } from '#exceptions/http_errors'
import { isPublic, type ClientSettings } from './client.ts'
import { isPrivateHost } from './private_hosts.ts'

/* Exact comparison: a pattern could match an attacker's address (RFC 9700, section 2.1). */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** With these schemes, a browser runs code or reads files instead of opening an app. */
const DANGEROUS = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'view-source:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
])

export function isLoopback({ hostname }: URL) {
  return LOOPBACK.has(hostname)
}

/** A redirect to `https:host` would stay on our own site. */
export function parseStrictly(uri: string) {
  const url = URL.parse(uri)
  const isPlain = /^[\x21-\x7e]+$/.test(uri) && !/[#*\\<>"]/.test(uri)
  const isWhole = !/^https?:(?!\/\/)/i.test(uri) && !/^[^:]+:\/\/[^/?]*@/.test(uri)
  return url && isPlain && isWhole ? url : null
}

/** Apps have schemes of their own (RFC 8252, section 7.1). A public name needs https. */
function isAllowed(uri: string, settings: ClientSettings) {
  const url = parseStrictly(uri)
  if (!url || DANGEROUS.has(url.protocol)) return false
  if (url.protocol === 'https:') return !isPublic(settings) || !isLoopback(url)
  return url.protocol !== 'http:' || isLoopback(url) || (settings.allowHttp && isPrivateHost(url))
}

export function assertRedirectUris(settings: ClientSettings) {
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    const refused = settings[field].find((uri) => !isAllowed(uri, settings))
    if (refused !== undefined) {
      const error = invalidField(field, 'redirectUri', messageOf(refused))
      throw error.withValues({ uri: refused })
    }
  }
  const needsOne = settings.grantTypes.includes('authorization_code')
  if (needsOne && settings.redirectUris.length === 0) {
    throw invalidField('redirectUris', 'required', 'The code needs a redirect address')
  }
}

function messageOf(uri: string) {
  return `${uri} is no redirect address: it must be https, http on loopback (with allowHttp also on a private address), or the scheme of an app, without a fragment, pattern or credentials`
}

const LOOPBACK_PORT = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/

/** Only programs of the user, which are public clients, cannot choose their port (RFC 8252, 7.3). */
export function isRegistered(uri: string, registered: readonly string[], hasNoSecret: boolean) {
  if (registered.includes(uri)) return true
  if (!hasNoSecret || !parseStrictly(uri)) return false
  const withoutPort = portless(uri)
  return withoutPort !== null && registered.some((each) => portless(each) === withoutPort)
}

/** Returns null for an address that is not on loopback. */
function portless(uri: string) {
  const url = URL.parse(uri)
  if (url?.protocol !== 'http:' || !isLoopback(url)) return null
  return uri.replace(LOOPBACK_PORT, '$1')
}

/** Any app can take the scheme of another (RFC 8252, section 8.1). */
export function isAppScheme(uri: string) {
  return !/^https?:/i.test(uri)
}

/** Other programs can receive a redirect to loopback of a public client or to an app's scheme. */
export function canBeIntercepted(uri: string, hasNoSecret: boolean) {
  const url = new URL(uri)
  if (url.protocol === 'https:') return false
  return hasNoSecret || !isLoopback(url)
}

/** Returns the scheme of an app, because the rest of its address may look like a host. */
export function hostOf(uri: string) {
  const { protocol, host } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol
}
