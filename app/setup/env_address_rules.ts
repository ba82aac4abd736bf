import ipaddr from 'ipaddr.js'
import { canonicalDomain } from '#auth/email'
import { isMissing, list, type Rule } from './env_rules.ts'

/** A comma-separated list of domains, in the form that addresses are stored in. */
export function domains(): Rule<string[]> {
  return (name, value) =>
    list()(name, value).map((item) => {
      const domain = canonicalDomain(item)
      if (!domain) throw new Error(`${name} must list domains such as example.org`)
      return domain
    })
}

/** Networks in CIDR notation; an address without a prefix is a network of one host. */
export function networks(): Rule<[ipaddr.IPv4 | ipaddr.IPv6, number][]> {
  return (name, value) =>
    list()(name, value).map((item) => {
      if (ipaddr.isValidCIDR(item)) return ipaddr.parseCIDR(item)
      if (!ipaddr.isValid(item)) {
        throw new Error(`${name} must list networks such as 10.0.0.0/8 or 192.0.2.7`)
      }
      const host = ipaddr.parse(item)
      return [host, host.kind() === 'ipv4' ? 32 : 128]
    })
}

/** An absolute http(s) address without a trailing slash. */
export function address(): Rule<string | undefined> {
  return (name, value) => {
    if (isMissing(value)) return undefined
    const url = URL.parse(value)
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
      throw new Error(`${name} must be an address such as https://auth.example.org`)
    }
    return url.href.replace(/\/+$/, '')
  }
}

/** A comma-separated list of whole http(s) addresses, in the form that a browser gives them. */
export function addresses(): Rule<string[]> {
  return (name, value) =>
    list()(name, value).map((item) => {
      const url = URL.parse(item)
      if (!url || !/^https?:$/.test(url.protocol) || url.hash || url.username) {
        throw new Error(`${name} must list addresses such as https://app.example.org/signed-in`)
      }
      return url.href
    })
}

/** The address of Redis: `redis://` or, with TLS, `rediss://`. */
export function redisAddress(fallback: string): Rule<string> {
  return (name, value) => {
    const input = isMissing(value) ? fallback : value.trim()
    const url = URL.parse(input)
    const isUsable = url && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
    if (!isUsable) throw new Error(`${name} must be an address such as redis://127.0.0.1:6379/0`)
    return input
  }
}
