import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensureWritable } from './writable_folder.ts'
import {
  secretsFile,
  readSecrets,
  replaceSecrets,
  createSecrets,
  type Environment,
  KEYRINGS,
} from './secrets_file.ts'

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

/** Returns whether `DATA_DIR` contains the keyring, and not the environment. */
export function isGenerated(name: string) {
  return fromFile.has(name)
}

/**
 * @returns the names of the keyrings that `DATA_DIR` keeps
 * @throws if another command has written them since they were read: its secrets would be lost
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
