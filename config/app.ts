import { defineConfig, type HttpRequest } from '@adonisjs/core/http'
import ipaddr from 'ipaddr.js'
import env from '#start/env'

/** Base of every link in mails and redirects: never the Host header, which the caller writes. */
export const appUrl = env.get('APP_URL') ?? `http://${env.get('HOST')}:${env.get('PORT')}`

/** Behind https, cookies are Secure and carry the `__Host-` prefix, and HSTS is sent. */
export const isHttps = appUrl.startsWith('https://')

/**
 * `iss` and `aud` of every token. The same at every address of an installation, so that
 * moving it to another one, or running two behind one balancer, signs nobody out.
 */
export const issuer = 'gatehouse'

export const http = defineConfig({
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  /** Headers within 10 s, a whole request within 30 s: a slow sender cannot hold a socket. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  trustProxy: (address) => isTrustedProxy(address),
  getIp: (request, forwarded) => clientAddress(request, forwarded),
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
})

const trustedProxies = env.get('TRUSTED_PROXIES')

/** Nobody is trusted unless named: not even loopback, where any local user can connect from. */
function isTrustedProxy(address: string) {
  if (trustedProxies.length === 0 || !ipaddr.isValid(address)) return false
  const proxy = ipaddr.process(address)
  return trustedProxies.some(
    ([network, bits]) => network.kind() === proxy.kind() && proxy.match(network as any, bits)
  )
}

/**
 * The caller's address: the right-most hop that is not a trusted proxy, and the socket's
 * own address where that hop is not an address at all. IPv4 written as IPv6 is IPv4.
 */
function clientAddress(request: HttpRequest, forwarded: () => string) {
  const socketAddress = request.request.socket.remoteAddress ?? ''
  const address = trustedProxies.length === 0 ? socketAddress : forwarded()
  const known = ipaddr.isValid(address) ? address : socketAddress
  return ipaddr.isValid(known) ? ipaddr.process(known).toString() : 'unknown'
}
