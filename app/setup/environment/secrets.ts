import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { invalidEnvironment } from './invalid_environment.ts'
import { ensureWritable } from './writable_folder.ts'

// SQLite generates its secrets, so that one command starts it. Processes on Postgres share them:
// the environment must name them, or one process refuses tokens of another.

export const KEYRINGS = [
  'APP_KEY',
  'JWT_ACCESS_SECRETS',
  'JWT_REFRESH_SECRETS',
  'MFA_ENCRYPTION_KEYS',
]

type Environment = Record<string, string | undefined>

export function secretsFile(dataDir: string) {
  return join(resolve(dataDir), 'secrets.json')
}

/** @throws E_INVALID_ENV_VARIABLES; a start that made new secrets instead would lose the old ones */
function readSecrets(file: string): Environment {
  if (!existsSync(file)) return {}
  try {
    const secrets = JSON.parse(readFileSync(file, 'utf8'))
    if (KEYRINGS.every((name) => /^(string|undefined)$/.test(typeof secrets[name]))) return secrets
  } catch (error) {
    if (error.code) throw invalidEnvironment([`DATA_DIR: ${file} cannot be read (${error.code})`])
  }
  throw invalidEnvironment([`DATA_DIR: ${file} is damaged. Restore it from a backup`])
}

function replaceSecrets(file: string, secrets: Environment) {
  const draft = writeDraft(file, secrets)
  renameSync(draft, file)
  return secrets
}

/**
 * Of several first starts one makes the file, and the others read it. A link decides: a process
 * that looks first could replace secrets in use.
 */
function createSecrets(file: string, secrets: Environment) {
  const draft = writeDraft(file, secrets)
  try {
    linkSync(draft, file)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readSecrets(file)
}

function writeDraft(file: string, secrets: Environment) {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  return draft
}

function newSecrets(names: string[]): Environment {
  return Object.fromEntries(names.map((name) => [name, randomBytes(48).toString('base64url')]))
}

/** The last entry of `APP_KEY` signs the audit trail, so it stays last. */
export function rotateKeyring(keyring: string[]) {
  return [randomBytes(48).toString('base64url'), ...keyring]
}

export function dropOldSecrets(keyring: string[], isNeeded: (secret: string) => boolean) {
  return keyring.filter((secret, index) => index === 0 || isNeeded(secret))
}

const fromFile = new Map<string, string>()

/**
 * @returns the names of the keyrings that `DATA_DIR` keeps
 * @throws if another command has written them meanwhile: its new secrets would be lost
 */
export function writeRotated(dataDir: string, keyrings: Record<string, string[]>) {
  const file = secretsFile(dataDir)
  const kept = readSecrets(file)
  const names = Object.keys(keyrings).filter((name) => fromFile.has(name))
  if (names.some((name) => kept[name] !== fromFile.get(name)))
    throw new Error('Another command has just written secrets.json. Run this one again.')
  const changed = names.map((name) => [name, keyrings[name].join(',')])
  if (names.length > 0) replaceSecrets(file, { ...kept, ...Object.fromEntries(changed) })
  return names
}

export function provisionSecrets(values: Environment) {
  const missing = KEYRINGS.filter((name) => !values[name]?.trim())
  if (missing.length === 0 || (values.DB_CONNECTION || 'sqlite') !== 'sqlite') return

  const file = secretsFile(values.DATA_DIR || './data')
  ensureWritable(dirname(file))
  const isNew = !existsSync(file)
  const kept = isNew ? createSecrets(file, newSecrets(missing)) : readSecrets(file)
  const secrets = missing.every((name) => kept[name])
    ? kept
    : replaceSecrets(file, { ...newSecrets(missing), ...kept })
  for (const name of missing) {
    values[name] = secrets[name]
    fromFile.set(name, secrets[name]!)
  }
}
