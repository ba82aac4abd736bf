import ipaddr from 'ipaddr.js'
import { canonicalDomain } from '#models/email_domain'
import type { Network } from './networks.ts'
import { isMissing, list, type Rule } from './rules.ts'

export function domains(): Rule<string[]> {
  return (name, value) =>
    list()(name, value).map((item) => {
      const domain = canonicalDomain(item)
      if (!domain) throw new Error(`${name} must list domains such as example.org`)
      return domain
    })
}

/** The first word is the default. */
export function domainsOr<const T extends string>(...words: T[]): Rule<T | string[]> {
  return (name, value) => {
    const word = isMissing(value) ? words[0] : words.find((each) => each === value.trim())
    return word ?? domains()(name, value)
  }
}

/** An address without a prefix is a network of one host. */
export function networks(): Rule<Network[]> {
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

/** Refuses a path, because the routes of this service are at the root of a host. */
export function ownAddress(): Rule<string | undefined> {
  return (name, value) => {
    const own = address()(name, value?.trim())
    if (!own || new URL(own).pathname === '/') return own
    throw new Error(`${name} must have no path: Gatehouse needs a host name of its own`)
  }
}

const HOST_NAME = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i

/** A text that looks like an IP address must be a valid one. */
export function listenAddress(): Rule<string | undefined> {
  return (name, value) => {
    if (isMissing(value)) return undefined
    const host = value.trim()
    const isName = HOST_NAME.test(host) && !/^[\d.]+$/.test(host)
    if (isName || ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)) return host
    throw new Error(`${name} must be an address of this machine such as 127.0.0.1 or 0.0.0.0`)
  }
}

const MAILBOX = /^[^\s<>@,"]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

/** Accepts an address, or a name with the address in angle brackets. */
export function mailbox(fallback: string): Rule<string> {
  return (name, value) => {
    const sender = isMissing(value) ? fallback : value.trim()
    const [, plain = sender] = /^(?:"[^"]*"|[^"<>,@]*)\s*<([^<>]*)>$/.exec(sender) ?? []
    if (MAILBOX.test(plain)) return sender
    throw new Error(`${name} must be an address such as Gatehouse <no-reply@example.org>`)
  }
}

/** Returns addresses in the form that browsers give them, because they are compared exactly. */
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
