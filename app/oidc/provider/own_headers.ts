import type { IncomingHttpHeaders } from 'node:http'
import settings from '#config/oidc'

const issuer = new URL(settings.issuer)

/** Replaces the Host header, which an attacker can choose. */
export function ownHeaders(headers: IncomingHttpHeaders, ip: string): IncomingHttpHeaders {
  const { 'x-forwarded-host': host, forwarded, ...others } = headers
  const scheme = { 'x-forwarded-proto': issuer.protocol.slice(0, -1), 'x-forwarded-for': ip }
  return { ...others, ...scheme, host: issuer.host }
}
