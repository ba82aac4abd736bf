import { invalidEnvironment } from './invalid_environment.ts'
import { KEYRINGS } from './secrets_file.ts'

// Each assertion throws E_INVALID_ENV_VARIABLES before the process listens.

interface Environment {
  get(name: string): any
}

/** Checks what a rule for one setting cannot. @throws an error with one line for the operator */
export function assertSettings(env: Environment) {
  assertDistinctSecrets(env)
  assertDocumentationPassword(env)
  assertCookiesAreSafe(env)
  assertSharedDatabase(env)
  assertPasskeyDomain(env)
  assertTokenLifetimes(env)
  assertBackupRecipient(env)
}

/** The same secret in two keyrings would let a token of one kind pass as another. */
function assertDistinctSecrets(env: Environment) {
  const keyringOf = new Map<string, string>()
  const secrets = KEYRINGS.flatMap((name) =>
    (env.get(name) as string[]).map((secret) => ({ name, secret }))
  )
  for (const { name, secret } of secrets) {
    const other = keyringOf.get(secret) ?? name
    if (other !== name) {
      throw invalidEnvironment([`${name} shares a secret with ${other}: each must have its own`])
    }
    keyringOf.set(secret, name)
  }
}

/** Without a password set, the empty password would open the documentation. */
export function assertDocumentationPassword(env: Environment) {
  if (env.get('API_DOCS') !== 'basic' || env.get('API_DOCS_PASSWORD')) return
  throw invalidEnvironment(['API_DOCS_PASSWORD is required where API_DOCS is basic'])
}

/** Over plain http, an attacker in the network could read tokens in cookies. */
function assertCookiesAreSafe(env: Environment) {
  const { protocol, hostname } = new URL(env.get('APP_URL') ?? 'http://localhost')
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (env.get('AUTH_COOKIES') !== 'on' || protocol === 'https:' || isLocal) return
  throw invalidEnvironment([
    'AUTH_COOKIES needs an APP_URL with https: tokens would travel in clear',
  ])
}

/** A browser accepts passkeys for the host of its page, or a domain above it. */
export function assertPasskeyDomain(env: Environment) {
  const rpId = env.get('PASSKEY_RP_ID')
  const { hostname } = new URL(env.get('APP_URL') ?? 'http://localhost')
  if (!rpId || rpId === hostname || hostname.endsWith(`.${rpId}`)) return
  throw invalidEnvironment([
    'PASSKEY_RP_ID must be the host of APP_URL, or a domain above it: browsers refuse any other',
  ])
}

function assertSharedDatabase(env: Environment) {
  if (env.get('STORE') !== 'redis' || env.get('DB_CONNECTION') === 'pg') return
  throw invalidEnvironment([
    'STORE may be redis only with DB_CONNECTION=pg: both are shared by every process',
  ])
}

function assertTokenLifetimes(env: Environment) {
  if (env.get('REFRESH_TOKEN_TTL') >= env.get('ACCESS_TOKEN_TTL')) return
  throw invalidEnvironment([
    'REFRESH_TOKEN_TTL must be at least ACCESS_TOKEN_TTL: the session would end before its token',
  ])
}

/** Verifies the checksum of each recipient: a mistyped one would make every backup fail. */
export async function assertRecipients(recipients: string[]) {
  if (recipients.length === 0) return
  const { isRecipient } = await import('#backup/archive/age')
  for (const recipient of recipients) {
    if (!(await isRecipient(recipient)))
      throw invalidEnvironment(['BACKUP_RECIPIENT has a typing error: its checksum is wrong'])
  }
}

/** A backup contains every secret, so it is always encrypted. */
function assertBackupRecipient(env: Environment) {
  if (env.get('BACKUP_EVERY') === null || env.get('BACKUP_RECIPIENT').length > 0) return
  throw invalidEnvironment([
    'BACKUP_RECIPIENT is required where BACKUP_EVERY is set: run age-keygen and name its public key',
  ])
}
