import { readFileSync } from 'node:fs'
import { defineConfig, type HttpRequest } from '@adonisjs/core/http'
import ipaddr from 'ipaddr.js'
import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { isWithinNetworks } from '#setup/environment/networks'

export const { version } = JSON.parse(readFileSync(app.makePath('package.json'), 'utf8')) as {
  version: string
}

export const product = `Gatehouse ${version}`

/** Links and redirects never use the Host header, because an attacker can choose it. */
export const appUrl = env.get('APP_URL') ?? `http://localhost:${env.get('PORT')}`

export const isHttps = appUrl.startsWith('https://')

/** The issuer does not depend on the address, so that a move signs no user out. */
export const issuer = 'gatehouse'

export const http = defineConfig({
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  /** A slow sender (slowloris) cannot hold a socket. */
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  trustProxy: (address) => isTrustedProxy(address),
  getIp: (request, forwarded) => clientAddress(request, forwarded),
  /** A comma is a character of a value, such as the state of an application. */
  qs: { parse: { comma: false } },
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
})

const trustedProxies = env.get('TRUSTED_PROXIES')

function withoutPort(address: string) {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}

/** A proxy on loopback has to be named too, because any local user can connect from there. */
export function isTrustedProxy(hop: string) {
  return isWithinNetworks(withoutPort(hop), trustedProxies)
}

/** The right-most hop that is no trusted proxy: an attacker can write the hops before it. */
function clientAddress(request: HttpRequest, forwarded: () => string) {
  const socketAddress = request.request.socket.remoteAddress ?? ''
  const address = trustedProxies.length === 0 ? socketAddress : withoutPort(forwarded())
  const known = ipaddr.isValid(address) ? address : socketAddress
  return ipaddr.isValid(known) ? ipaddr.process(known).toString() : 'unknown'
}
