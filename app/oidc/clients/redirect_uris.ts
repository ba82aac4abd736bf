import { invalidField } from '#exceptions/http_errors'
import type { ClientSettings } from './client.ts'

/*
 | Where a code may be sent. Addresses are compared character by character (RFC 9700, section
 | 2.1): a pattern would let an attacker find an address of theirs that matches. For a public
 | client any port of a loopback address matches, because an app gets another one at each
 | start (RFC 8252, section 7.3).
 */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes that run code or read files in a browser instead of opening an app. */
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

/** An absolute address without a fragment, credentials or characters that a browser would alter. */
export function parseStrictly(uri: string) {
  const url = URL.parse(uri)
  const isPlain = /^[\x21-\x7e]+$/.test(uri) && !/[#*\\<>"]/.test(uri)
  return url && isPlain && !url.username && !url.password ? url : null
}

/** Schemes of their own belong to apps, which are public clients (RFC 8252, section 7.1). */
function isAllowed(uri: string, isPublic: boolean) {
  const url = parseStrictly(uri)
  if (!url || DANGEROUS.has(url.protocol)) return false
  if (url.protocol === 'https:') return !isPublic || !isLoopback(url)
  return url.protocol === 'http:' ? isLoopback(url) : isPublic
}

/** @throws a validation error that names the address */
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

/** A logout is sent by this server; the address is an administrator's and may be private. */
export function assertBackchannelUri({ backchannelLogoutUri: uri }: ClientSettings) {
  if (uri === null) return
  const url = parseStrictly(uri)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return
  const message = 'The backchannelLogoutUri field must be an https or http address'
  throw invalidField('backchannelLogoutUri', 'url', message)
}

/** The host that people are told of; an app has its scheme. */
export function hostOf(uri: string) {
  const url = new URL(uri)
  return url.host || url.protocol
}
