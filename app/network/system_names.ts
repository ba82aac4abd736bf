import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { network } from './public_hosts.ts'

/*
 | Finds names as the system's resolver does: the hosts file, then the name server with the search
 | list. `dns.lookup` would block a thread that hashing needs while a name server is silent.
 */

export const files = { hosts: '/etc/hosts', resolver: '/etc/resolv.conf' }

export async function resolveAsSystem(hostname: string, signal: AbortSignal) {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const local = await addressesInHostsFile(name)
  if (local.length > 0) return local
  for (const candidate of await candidatesOf(hostname.toLowerCase())) {
    const addresses = await network.resolve(candidate, signal)
    if (addresses.length > 0 || signal.aborted) return addresses
  }
  return []
}

/** Reads the file each time, because orchestrators change it. */
async function addressesInHostsFile(name: string) {
  const lines = await linesOf(files.hosts)
  const entries = lines.map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  const named = entries.filter(([, ...names]) => names.some((each) => each.toLowerCase() === name))
  return named.map(([address]) => address).filter((address) => isIP(address) !== 0)
}

async function linesOf(path: string) {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n')
}

/** resolv.conf(5): a name with fewer dots than `ndots` is looked up below each domain first. */
async function candidatesOf(name: string) {
  if (name.endsWith('.')) return [name]
  const lines = await linesOf(files.resolver)
  const words = lines.map((line) => line.trim().split(/\s+/))
  const valuesOf = (keys: string[]) => words.findLast(([key]) => keys.includes(key))?.slice(1) ?? []
  const below = valuesOf(['search', 'domain']).map((domain) => `${name}.${domain}`)
  const ndots = Number(/ndots:(\d+)/.exec(valuesOf(['options']).join(' '))?.[1] ?? 1)
  const hasDots = name.split('.').length - 1 >= ndots
  return hasDots ? [name, ...below] : [...below, name]
}
