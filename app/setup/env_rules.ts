import ipaddr from 'ipaddr.js'
import { canonicalDomain } from '#auth/email'

/*
 | Rules for environment variables. Each takes the name and the raw value, and returns the
 | value that the configuration uses or throws one line with the fault and its remedy. No
 | message repeats a value: it may be a secret that was put into the wrong variable.
 */

type Rule<T> = (name: string, value?: string) => T

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Values of tutorials and sample files: an attacker who knows them can sign tokens. */
const SAMPLE_SECRET =
  /change.?me|your.*secret|secret.*key|example|sample|default|password|insert.*here|^(.)\1*$/i

/** HS256 keys have at least 256 bits (RFC 7518, section 3.2); shorter ones can be guessed offline. */
const MINIMUM_SECRET_BYTES = 32

function isMissing(value?: string): value is undefined | '' {
  return value === undefined || value.trim() === ''
}

/** A duration such as `15m`, `7d` or `900s`, in milliseconds. A bare `0` is allowed where `min` is 0. */
export function duration(fallback: string, { min = 1 } = {}): Rule<number> {
  return (name, value) => {
    const input = isMissing(value) ? fallback : value.trim()
    const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(input) ?? []
    const milliseconds = Number(amount) * UNITS[unit as keyof typeof UNITS]
    if (!(milliseconds >= min)) {
      throw new Error(`${name} must be a duration such as 900s, 15m, 12h or 7d`)
    }
    return milliseconds
  }
}

/** A duration, or `off`, the default, which is null. */
export function durationOrOff({ min = 1 } = {}): Rule<number | null> {
  return (name, value) => {
    if (isMissing(value) || /^off$/i.test(value.trim())) return null
    return duration('', { min })(name, value)
  }
}

/** A whole number between `min` and `max`, both allowed. */
export function integer(fallback: number, { min = 0, max = 1_000_000 } = {}): Rule<number> {
  return (name, value) => {
    const number = isMissing(value) ? fallback : Number(value)
    if (!Number.isInteger(number) || number < min || number > max) {
      throw new Error(`${name} must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** One of the named choices; the first is the default. */
export function choice<const T extends string>(...choices: T[]): Rule<T> {
  return (name, value) => {
    const chosen = isMissing(value) ? choices[0] : (value.trim() as T)
    if (!choices.includes(chosen)) throw new Error(`${name} must be one of ${choices.join(', ')}`)
    return chosen
  }
}

/** `true` or `false`; `on`, `off`, `1` and `0` are understood too. */
export function flag(fallback: boolean): Rule<boolean> {
  return (name, value) => {
    if (isMissing(value)) return fallback
    if (/^(true|on|1)$/i.test(value)) return true
    if (/^(false|off|0)$/i.test(value)) return false
    throw new Error(`${name} must be true or false`)
  }
}

/** Any text, or the default when the variable is missing or empty. */
export function text<T extends string | undefined = undefined>(fallback?: T): Rule<string | T> {
  return (_, value) => (isMissing(value) ? (fallback as T) : value)
}

/** A comma-separated list; blanks around the items are removed. */
export function list(pattern?: RegExp, remedy = ''): Rule<string[]> {
  return (name, value) => {
    const items = (value ?? '').split(',').map((item) => item.trim())
    const present = items.filter((item) => item !== '')
    if (pattern && present.some((item) => !pattern.test(item))) throw new Error(`${name} ${remedy}`)
    return present
  }
}

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

/**
 * A keyring: its first secret signs and encrypts, all of them verify and decrypt. A secret
 * can so be replaced while tokens of the old one stay valid.
 */
export function keyring(): Rule<string[]> {
  return (name, value) => {
    const secrets = list()(name, value)
    if (secrets.length === 0) {
      throw new Error(`${name} is required: set at least one random secret of 32 bytes or more`)
    }
    secrets.forEach((secret, index) => assertStrong(name, secret, index))
    if (new Set(secrets).size !== secrets.length) {
      throw new Error(`${name} holds the same secret twice: each must be different`)
    }
    return secrets
  }
}

function assertStrong(name: string, secret: string, index: number) {
  const position = `entry ${index + 1}`
  if (Buffer.byteLength(secret) < MINIMUM_SECRET_BYTES) {
    throw new Error(`${name}: ${position} is shorter than ${MINIMUM_SECRET_BYTES} bytes`)
  }
  if (SAMPLE_SECRET.test(secret)) {
    throw new Error(`${name}: ${position} is a sample value: use \`openssl rand -base64 48\``)
  }
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
