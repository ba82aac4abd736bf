import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { invalidEnvironment } from './invalid_environment.ts'

// On SQLite, secrets are generated, so that one command starts the server. Processes on Postgres
// share secrets: the environment must name them, or one process refuses tokens of another.
export const KEYRINGS = [
  'APP_KEY',
  'JWT_ACCESS_SECRETS',
  'JWT_REFRESH_SECRETS',
  'MFA_ENCRYPTION_KEYS',
]

export type Environment = Record<string, string | undefined>

export function secretsFile(dataDir: string) {
  return join(resolve(dataDir), 'secrets.json')
}

/** @throws E_INVALID_ENV_VARIABLES; a start that made new secrets instead would lose the old ones */
export function readSecrets(file: string): Environment {
  if (!existsSync(file)) return {}
  try {
    const secrets = JSON.parse(readFileSync(file, 'utf8'))
    if (KEYRINGS.every((name) => /^(string|undefined)$/.test(typeof secrets[name]))) return secrets
  } catch (error) {
    if (error.code) throw invalidEnvironment([`DATA_DIR: ${file} cannot be read (${error.code})`])
  }
  throw invalidEnvironment([`DATA_DIR: ${file} is damaged. Restore it from a backup`])
}

export function replaceSecrets(file: string, secrets: Environment) {
  const draft = writeDraft(file, secrets)
  renameSync(draft, file)
  return secrets
}

/**
 * If several processes start first, one creates the file and the others read it. `link` is atomic;
 * after a separate check, a process could replace secrets in use.
 */
export function createSecrets(file: string, secrets: Environment) {
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
