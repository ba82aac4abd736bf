import { readFileSync } from 'node:fs'
import { defineConfig, type HttpRequest } from '@adonisjs/core/http'
import ipaddr from 'ipaddr.js'
import app from '@adonisjs/core/services/app'
import env from '#start/env'

/** The version of this installation, as `package.json` has it. */
export const { version } = JSON.parse(readFileSync(app.makePath('package.json'), 'utf8')) as {
  version: string
}

/** The name and version for administrators and operators. Public pages name neither. */
export const product = `Gatehouse ${version}`

/** Base of every link in mails and redirects; the Host header is chosen by the client, who may be an attacker. */
export const appUrl = env.get('APP_URL') ?? `http://localhost:${env.get('PORT')}`

/** Behind https, cookies are Secure and carry the `__Host-` prefix, and HSTS is sent. */
export const isHttps = appUrl.startsWith('https://')

/**
 * `iss` and `aud` of every token. It does not depend on the address of the installation, so
 * that a move to another address signs no user out.
 */
export const issuer = 'gatehouse'

export const http = defineConfig({
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  /** Headers within 10 s, a whole request within 30 s: a slow sender (slowloris) cannot hold a socket. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  trustProxy: (address) => isTrustedProxy(address),
  getIp: (request, forwarded) => clientAddress(request, forwarded),
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
})

const trustedProxies = env.get('TRUSTED_PROXIES')

/** Some proxies add the port of the client: `203.0.113.7:5555`, or `[2001:db8::1]:443`. */
function withoutPort(address: string) {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}

/** No proxy is trusted unless it is named, not even on loopback, from which any local user can connect. */
function isTrustedProxy(hop: string) {
  const address = withoutPort(hop)
  if (trustedProxies.length === 0 || !ipaddr.isValid(address)) return false
  const proxy = ipaddr.process(address)
  return trustedProxies.some(([network, bits]) => isWithin(proxy, network, bits))
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function isWithin(address: Address, network: Address, bits: number) {
  if (address instanceof ipaddr.IPv4) {
    return network instanceof ipaddr.IPv4 && address.match(network, bits)
  }
  return network instanceof ipaddr.IPv6 && address.match(network, bits)
}

/**
 * The client's address: the right-most hop that is not a trusted proxy, because an attacker
 * can write those before it; the socket's address where that hop is not an address. IPv4
 * written as IPv6 is IPv4.
 */
function clientAddress(request: HttpRequest, forwarded: () => string) {
  const socketAddress = request.request.socket.remoteAddress ?? ''
  const address = trustedProxies.length === 0 ? socketAddress : withoutPort(forwarded())
  const known = ipaddr.isValid(address) ? address : socketAddress
  return ipaddr.isValid(known) ? ipaddr.process(known).toString() : 'unknown'
}
