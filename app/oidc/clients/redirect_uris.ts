import { invalidField } from '#exceptions/http_errors'
import type { ClientSettings } from './client.ts'

/* Exact comparison: a pattern could match an attacker's address (RFC 9700, section 2.1). */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A browser runs code or reads files by these schemes instead of opening an app. */
const DANGEROUS = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'about:',
  'ftp:',
  'ws:',
  'wss:',
])

export function isLoopback({ hostname }: URL) {
  return LOOPBACK.has(hostname)
}

export function parseStrictly(uri: string) {
  const url = URL.parse(uri)
  const isPlain = /^[\x21-\x7e]+$/.test(uri) && !/[#*\\<>"]/.test(uri)
  return url && isPlain && !url.username && !url.password ? url : null
}

/** Only apps, which are public clients, have schemes of their own (RFC 8252, section 7.1). */
function isAllowed(uri: string, isPublic: boolean) {
  const url = parseStrictly(uri)
  if (!url || DANGEROUS.has(url.protocol)) return false
  if (url.protocol === 'https:') return !isPublic || !isLoopback(url)
  return url.protocol === 'http:' ? isLoopback(url) : isPublic
}

export function assertRedirectUris(settings: ClientSettings) {
  const isPublic = settings.tokenEndpointAuthMethod === 'none'
  for (const field of ['redirectUris', 'postLogoutRedirectUris'] as const) {
    const refused = settings[field].find((uri) => !isAllowed(uri, isPublic))
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
  return `${uri} is no redirect address: it must be https, or http on loopback, without a fragment, pattern or credentials; other schemes are for public clients`
}

/** `fetch` refuses these ports of other protocols (Fetch Standard, section 2.9). */
const BLOCKED_PORTS = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113
   115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554
   556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665
   6666 6667 6668 6669 6679 6697 10080`.split(/\s+/)
)

export function assertBackchannelUri({ backchannelLogoutUri: uri }: ClientSettings) {
  if (uri === null) return
  const url = parseStrictly(uri)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (isWeb && !BLOCKED_PORTS.has(url.port)) return
  const message =
    'The backchannelLogoutUri field must be an https or http address with a port that HTTP may use'
  throw invalidField('backchannelLogoutUri', 'url', message)
}

/** Other programs can receive what goes to loopback of a public client, or to an app's scheme. */
export function isOpenToOthers(uri: string, isPublic: boolean) {
  const url = new URL(uri)
  if (url.protocol === 'https:') return false
  return isPublic || !isLoopback(url)
}

/** An app shows its scheme, because the rest may look like a host. */
export function hostOf(uri: string) {
  const { protocol, host } = new URL(uri)
  return /^https?:$/.test(protocol) ? host : protocol
}
