import { isMissing, list, type Rule } from './rules.ts'

export function redisAddress(fallback: string): Rule<string> {
  return (name, value) => {
    const input = isMissing(value) ? fallback : value.trim()
    const url = URL.parse(input)
    const isUsable = url && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
    if (!isUsable) throw new Error(`${name} must be an address such as redis://127.0.0.1:6379/0`)
    for (const part of [url.username, url.password]) decoded(name, part)
    return input
  }
}

interface Server {
  host: string
  port: number
}

export function servers(): Rule<Server[]> {
  return (name, value) =>
    list(/^[^:\s]+:\d{1,5}$/, 'must list servers such as redis-1:6379')(name, value).map(serverOf)
}

function serverOf(address: string) {
  const [host, port] = address.split(':')
  return { host, port: Number(port) }
}

interface Sentinels {
  servers: Server[]
  username?: string
  password?: string
}

const SENTINEL = /^(?:(?<credentials>[^@\s]*)@)?(?<address>[^:@\s]+:\d{1,5})$/

/** `user:password@` before one sentinel applies to all of them. */
export function sentinels(): Rule<Sentinels> {
  return (name, value) => {
    const items = list(SENTINEL, 'must list sentinels such as sentinel-1:26379')(name, value)
    const found = items.map((item) => SENTINEL.exec(item)!.groups!)
    const credentials = found.find((each) => each.credentials !== undefined)?.credentials ?? ''
    const [username, password] = credentials.split(':').map((each) => decoded(name, each))
    return { servers: found.map(({ address }) => serverOf(address)), username, password }
  }
}

function decoded(name: string, text: string) {
  try {
    return decodeURIComponent(text) || undefined
  } catch {
    throw new Error(`${name} must have its credentials percent-encoded: write % as %25`)
  }
}

type Environment = Record<string, string | undefined>

/** A platform may set the password apart from the sentinels. */
export function sentinelsWithPassword(values: Environment) {
  const { REDIS_SENTINELS: named, REDIS_SENTINEL_USERNAME: user, REDIS_SENTINEL_PASSWORD } = values
  if (!named || !REDIS_SENTINEL_PASSWORD || named.includes('@')) return named
  const credentials = [user ?? '', REDIS_SENTINEL_PASSWORD].map(encodeURIComponent).join(':')
  return `${credentials}@${named}`
}
