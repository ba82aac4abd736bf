import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import settings from '#config/outbound'
import { isWithinNetworks } from '#setup/environment/networks'
import { NameNotFoundError, network, NotPublicError } from './public_hosts.ts'

/* Addresses that an administrator typed. Private ones are allowed only if the operator says so. */

const LOOPBACK = ['127.0.0.1', '::1']

/** @throws NotPublicError if no address may be called */
export async function outboundAddressesOf(
  url: URL,
  signal: AbortSignal,
  resolve = network.resolve
) {
  const found = literalAddressesOf(url) ?? (await resolve(url.hostname, signal))
  if (found.length === 0) throw new NameNotFoundError()
  const allowed = isOwnHost(url) ? [] : found.filter((address) => isAllowed(address, url))
  if (allowed.length === 0) throw new NotPublicError()
  return allowed
}

/** Decides what can be decided before a name is looked up. */
export function mayBeCalled(url: URL) {
  if (isOwnHost(url) || !/^https?:$/.test(url.protocol)) return false
  if (url.protocol === 'http:' && settings.networks.length === 0) return false
  const literal = literalAddressesOf(url)
  return literal === null || literal.some((address) => isAllowed(address, url))
}

/** Returns true if there is no name that a name server could lead elsewhere. */
export function isAddress(url: URL) {
  return literalAddressesOf(url) !== null
}

function literalAddressesOf({ hostname }: URL) {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return [address]
  return /(?:^|\.)localhost\.?$/.test(hostname) ? LOOPBACK : null
}

function isAllowed(address: string, url: URL) {
  if (isOwnAddress(address, url)) return false
  if (isWithinNetworks(address, settings.networks)) return true
  return url.protocol === 'https:' && network.isPublic(address)
}

/** Ignores a dot at the end, with which a name leads to the same address. */
function isOwnHost({ host }: URL) {
  return withoutDot(host) === withoutDot(settings.own.host)
}

function withoutDot(host: string) {
  return host.replace(/\.(?=$|:\d+$)/, '')
}

/** Detects this server under any name, and not only under the name in `APP_URL`. */
function isOwnAddress(text: string, { port, protocol }: URL) {
  const address = ipaddr.isValid(text) ? ipaddr.process(text).toString() : text
  const called = Number(port || (protocol === 'https:' ? 443 : 80))
  if (called !== settings.own.port) return false
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const own = [...LOOPBACK, ...interfaces.map((each) => each.address)]
  return own.includes(address) || address.startsWith('127.') || /^(?:0\.0\.0\.0|::)$/.test(address)
}
