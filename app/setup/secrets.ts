import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { errors } from '@adonisjs/core/env'

/*
 | On the embedded database the product makes its own secrets, so that one command
 | starts it. With a database server several processes must share the same ones, and a
 | process that made its own would refuse its siblings' tokens: there they are required.
 */

export const KEYRINGS = [
  'APP_KEY',
  'JWT_ACCESS_SECRETS',
  'JWT_REFRESH_SECRETS',
  'MFA_ENCRYPTION_KEYS',
]

type Values = Record<string, string | undefined>

/** Where the generated secrets are kept: readable by the owner alone. */
export function secretsFile(dataDir: string) {
  return join(resolve(dataDir), 'secrets.json')
}

function readSecrets(file: string): Values {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/**
 * Writes the file whole or not at all. Of several first starts at once one creates
 * it, and the others read what it wrote.
 */
function writeSecrets(file: string, secrets: Values) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  try {
    existsSync(file) ? renameSync(draft, file) : linkSync(draft, file)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecrets(file)
}

function newSecrets(names: string[]): Values {
  return Object.fromEntries(names.map((name) => [name, randomBytes(48).toString('base64url')]))
}

/** A ring with a new secret first. The last entry stays last: the audit trail is signed with that of `APP_KEY`. */
export function rotateKeyring(_: string, keyring: string[]) {
  return [randomBytes(48).toString('base64url'), ...keyring]
}

/** A ring without what is no longer needed. */
export function dropOldSecrets(name: string, keyring: string[]) {
  return name === 'APP_KEY' ? [...new Set([keyring[0], keyring.at(-1)!])] : [keyring[0]]
}

/** Writes those of the rings that `DATA_DIR` holds, whole or not at all, and tells which. */
export function writeRotated(dataDir: string, keyrings: Record<string, string[]>) {
  const file = secretsFile(dataDir)
  const kept = readSecrets(file)
  const names = Object.keys(keyrings).filter((name) => kept[name] && !process.env[name])
  const changed = names.map((name) => [name, keyrings[name].join(',')])
  if (names.length > 0) writeSecrets(file, { ...kept, ...Object.fromEntries(changed) })
  return names
}

/** Fills in the secrets that the environment does not name, on the embedded database only. */
export function provisionSecrets(values: Values) {
  const missing = KEYRINGS.filter((name) => !values[name]?.trim())
  if (missing.length === 0 || (values.DB_CONNECTION || 'sqlite') !== 'sqlite') return

  const file = secretsFile(values.DATA_DIR || './data')
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  const kept = readSecrets(file)
  const isComplete = missing.every((name) => kept[name])
  const secrets = isComplete ? kept : writeSecrets(file, { ...newSecrets(missing), ...kept })
  for (const name of missing) values[name] = secrets[name]
}

/** One secret in two roles would let a token of one kind pass as another. */
export function assertDistinctSecrets(env: { get(name: string): any }) {
  const owners = new Map<string, string>()
  for (const name of KEYRINGS) {
    for (const secret of env.get(name) as string[]) {
      const other = owners.get(secret)
      if (other && other !== name) {
        const error = new errors.E_INVALID_ENV_VARIABLES()
        error.help = `- ${name} shares a secret with ${other}: each must have its own`
        throw error
      }
      owners.set(secret, name)
    }
  }
}

/** Documentation behind a password that nobody set would be behind the empty one. */
export function assertDocumentationPassword(env: { get(name: string): any }) {
  if (env.get('API_DOCS') !== 'basic' || env.get('API_DOCS_PASSWORD')) return
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = '- API_DOCS_PASSWORD is required where API_DOCS is basic'
  throw error
}

/** Cookies with tokens do not travel in clear, except to this very machine. */
export function assertCookiesAreSafe(env: { get(name: string): any }) {
  const { protocol, hostname } = new URL(env.get('APP_URL') ?? 'http://localhost')
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (env.get('AUTH_COOKIES') !== 'on' || protocol === 'https:' || isLocal) return
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = '- AUTH_COOKIES needs an APP_URL with https: tokens would travel in clear'
  throw error
}

/** Redis is shared by many processes, the embedded database belongs to one machine. */
export function assertSharedDatabase(env: { get(name: string): any }) {
  if (env.get('STORE') !== 'redis' || env.get('DB_CONNECTION') === 'pg') return
  const error = new errors.E_INVALID_ENV_VARIABLES()
  error.help = '- STORE may be redis only with DB_CONNECTION=pg: both are shared by every process'
  throw error
}
