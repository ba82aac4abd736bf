import { readFileSync, statSync, type Stats } from 'node:fs'
import { invalidEnvironment } from './invalid_environment.ts'
import { providerVariables } from './oidc_clients.ts'
import { KEYRINGS } from './secrets_file.ts'

type Environment = Record<string, string | undefined>

const SUFFIX = '_FILE'

/** Far more than a keyring needs, so that the path of a log is refused. */
const MAX_BYTES = 64 * 1024

const SECRETS = [
  ...KEYRINGS,
  'ADMIN_PASSWORD',
  'API_DOCS_PASSWORD',
  'DATABASE_URL',
  'DB_PASSWORD',
  'METRICS_TOKEN',
  'REDIS_SENTINELS',
  'REDIS_SENTINEL_PASSWORD',
  'REDIS_URL',
  'SMTP_PASSWORD',
]

const files = new Map<string, string>()

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by the user of this process',
}

export function secretSettings(values: Environment) {
  const ofProviders = providerVariables(values).filter((name) => name.endsWith('_CLIENT_SECRET'))
  return [...SECRETS, ...ofProviders]
}

export function secretFileSettings(values: Environment) {
  return secretSettings(values).map((name) => name + SUFFIX)
}

/** Used by `secrets:rotate`, to say where the new value of a secret belongs. */
export function secretFile(name: string) {
  return files.get(name) ?? null
}

/**
 * Removes the line break with which editors end a file, because it is not part of the secret.
 * @throws E_INVALID_ENV_VARIABLES with a line for each file that cannot be used
 */
export function readSecretFiles(values: Environment) {
  const errors: string[] = []
  for (const name of secretSettings(values)) {
    const path = values[name + SUFFIX]?.trim()
    if (!path) continue
    const { error, secret } = values[name] ? bothSet(name) : read(path)
    if (error) errors.push(`${name}${SUFFIX} ${error}`)
    values[name] = secret
    files.set(name, path)
  }
  if (errors.length > 0) throw invalidEnvironment(errors)
}

function bothSet(name: string) {
  return { error: `and ${name} are both set: remove one`, secret: undefined }
}

function read(path: string) {
  try {
    const problem = problemOf(statSync(path))
    if (problem) return { error: `names ${path}, which ${problem}`, secret: undefined }
    const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return { error: secret.trim() ? null : `names ${path}, which is empty`, secret }
  } catch (error) {
    const reason = REASONS[error.code] ?? `cannot be read (${error.code})`
    return { error: `names ${path}, which ${reason}`, secret: undefined }
  }
}

function problemOf(stats: Stats) {
  if (!stats.isFile()) return 'is no file'
  return stats.size > MAX_BYTES ? `is larger than ${MAX_BYTES / 1024} KB` : null
}
