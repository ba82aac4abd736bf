import { readFileSync } from 'node:fs'
import { parameterProblem } from '#database/postgres_address'
import { isMissing, type Rule } from './rules.ts'

const SEVERAL_HOSTS = /^[^/]+:\/\/[^/]*,/

/** An address or the folder of a socket. An address has a password, so no message shows it. */
export function databaseAddress(): Rule<string | undefined> {
  return (name, value) => {
    if (isMissing(value)) return undefined
    const input = value.trim()
    if (input.startsWith('/')) return input
    if (SEVERAL_HOSTS.test(input)) {
      throw new Error(`${name} must name one host, such as a proxy that leads to the primary`)
    }
    const url = URL.parse(input)
    if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hash) {
      const form = 'postgres://user:password@host:5432/database'
      const hint = 'write # as %23, @ as %40, / as %2F and % as %25 in its password'
      throw new Error(`${name} must be an address such as ${form}; ${hint}`)
    }
    const problem = parameterProblem(input)
    if (problem) throw new Error(`${name} ${problem}`)
    assertReadable(name, url.searchParams)
    return input.replace(STRICT_MODES, 'sslmode=verify-full')
  }
}

/** The driver verifies certificates fully in each of these modes, but warns about their names. */
const STRICT_MODES = /\bsslmode=(?:prefer|require|verify-ca)(?=&|$)/

/** The driver would fail later, and without the name of the setting. */
function assertReadable(name: string, parameters: URLSearchParams) {
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = parameters.get(parameter)
    if (file && !isReadable(file)) {
      throw new Error(`${name} names a file that cannot be read: ${parameter}=${file}`)
    }
  }
}

function isReadable(file: string) {
  try {
    readFileSync(file)
    return true
  } catch {
    return false
  }
}
