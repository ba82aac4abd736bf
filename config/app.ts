import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { defineConfig } from '@adonisjs/core/http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { isWithinNetworks } from '#setup/environment/networks'

export const { version } = JSON.parse(readFileSync(app.makePath('package.json'), 'utf8')) as {
  version: string
}

export const product = `Gatehouse ${version}`

/** Links and redirects never use the Host header, because an attacker can choose it. */
export const defaultUrl = `http://localhost:${env.get('PORT')}`

export const appUrl = env.get('APP_URL') ?? defaultUrl

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
  getIp: ({ request }) => clientAddress(request),
  /** A comma belongs to a value, such as the state of an application. */
  qs: { parse: { comma: false } },
  cookie: { path: '/', httpOnly: true, secure: isHttps, sameSite: 'lax' },
})

const trustedProxies = env.get('TRUSTED_PROXIES')

function withoutPort(address: string) {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(address) ?? []
  return v6 ?? v4 ?? address
}

/** All requests come from a few proxies. */
const known = new LRUCache<string, boolean>({ max: 100 })

/** A proxy on loopback also has to be named, because any local user can connect from there. */
export function isTrustedProxy(hop: string) {
  const isTrusted = known.get(hop) ?? isWithinNetworks(withoutPort(hop), trustedProxies)
  known.set(hop, isTrusted)
  return isTrusted
}

/** Reads the raw request, because the request of the framework would cost more than the address. */
export function clientAddress({ headers, socket }: IncomingMessage) {
  const sender = socket.remoteAddress ?? ''
  const address = withoutPort(lastUntrusted(sender, headers['x-forwarded-for']))
  if (isIPv4(address)) return address
  const valid = [address, sender].find((each) => ipaddr.isValid(each))
  return valid === undefined ? 'unknown' : ipaddr.process(valid).toString()
}

/** Returns the right-most hop that is no trusted proxy: an attacker can write hops before it. */
function lastUntrusted(sender: string, forwarded: string | string[] = '') {
  if (trustedProxies.length === 0) return sender
  const hops = [forwarded].flat().join().split(',')
  const named = hops.map((hop) => hop.trim()).filter((hop) => hop !== '')
  return [sender, ...named.reverse()].reduce((last, hop) => (isTrustedProxy(last) ? hop : last))
}
