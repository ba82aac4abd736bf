import { UnreadableRow } from './unreadable_row.ts'

/** A row of an import, in whatever shape its system exports it. */
export type ForeignRow = Record<string, any>

/** A user to import, as the rest of the import knows it. */
export interface ImportedUser {
  email?: unknown
  username?: unknown
  nickname?: unknown
  role?: unknown
  emailVerified?: unknown
  disabled?: unknown
  passwordHash?: unknown
  createdAt?: unknown
  /** Kept where it is one of ours: clients know their users by it. */
  id?: unknown
  /** A list of provider, issuer and subject, or the JSON of one. */
  identities?: unknown
}

type Mapping = (row: ForeignRow) => ImportedUser

function nameOf(...parts: unknown[]) {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ') || undefined
}

/** Our own export, and tables made by hand. */
const gatehouse: Mapping = (row) => ({
  ...row,
  passwordHash: row.passwordHash ?? row.password_hash,
})

/** `kc.sh export`: one PBKDF2 credential in JSON within JSON. */
const keycloak: Mapping = (row) => {
  const credential = row.credentials?.find((each: ForeignRow) => each.type === 'password')
  return {
    id: row.id,
    email: row.email,
    username: row.username ?? nameOf(row.firstName, row.lastName),
    nickname: nameOf(row.firstName, row.lastName),
    emailVerified: row.emailVerified,
    disabled: row.enabled === false,
    createdAt: row.createdTimestamp,
    passwordHash: credential && keycloakHash(credential),
  }
}

/** PBKDF2, or argon2 since Keycloak 25; what is neither is handed on, to be refused. */
function keycloakHash(credential: ForeignRow) {
  const secret = JSON.parse(credential.secretData)
  const { algorithm, hashIterations, additionalParameters } = JSON.parse(credential.credentialData)
  if (algorithm === 'argon2') {
    const { type, memory, parallelism } = additionalParameters
    const parameters = `m=${memory[0]},t=${hashIterations},p=${parallelism[0]}`
    const [salt, hash] = [secret.salt, secret.value].map((each) => each.replace(/=+$/, ''))
    return `$argon2${type[0]}$v=19$${parameters}$${salt}$${hash}`
  }
  const digest = /^pbkdf2(?:-(sha256|sha512))?$/.exec(algorithm)
  if (!digest) return `$${algorithm}$`
  const suffix = digest[1] ? `-${digest[1]}` : ''
  return `$pbkdf2${suffix}$${hashIterations}$${secret.salt}$${secret.value}`
}

/** The user export extension and the bulk export with password hashes. */
const auth0: Mapping = (row) => ({
  email: row.email ?? row.Email,
  username: row.username ?? row.name ?? row.Name,
  nickname: row.nickname ?? row.Nickname,
  emailVerified: row.email_verified ?? row['Email Verified'],
  disabled: row.blocked,
  createdAt: row.created_at ?? row['Created At'],
  passwordHash: row.passwordHash ?? row.password_hash ?? row.custom_password_hash?.hash?.value,
})

/** `firebase auth:export`; the project's parameters are put into each row by `--firebase-*`. */
const firebase: Mapping = (row) => ({
  email: row.email,
  username: row.displayName,
  emailVerified: row.emailVerified,
  disabled: row.disabled,
  createdAt: row.createdAt,
  passwordHash: row.passwordHash && firebaseHash(row),
})

function firebaseHash(row: ForeignRow) {
  if (!row.signerKey) throw new UnreadableRow('needs the parameters of its hash: --firebase')
  const standard = (base64: string) => base64.replaceAll('-', '+').replaceAll('_', '/')
  const parts = [
    row.signerKey,
    row.saltSeparator,
    row.rounds,
    row.memoryCost,
    row.salt,
    row.passwordHash,
  ]
  return `$firebase-scrypt$${parts.map((part) => standard(String(part ?? ''))).join('$')}`
}

/** The table `auth.users`. */
const supabase: Mapping = (row) => {
  const metadata =
    typeof row.raw_user_meta_data === 'string'
      ? JSON.parse(row.raw_user_meta_data || '{}')
      : (row.raw_user_meta_data ?? {})
  return {
    id: row.id,
    email: row.email,
    username: metadata.username ?? metadata.name ?? metadata.full_name,
    emailVerified: Boolean(row.email_confirmed_at),
    disabled: Date.parse(row.banned_until) > Date.now(),
    createdAt: row.created_at,
    passwordHash: row.encrypted_password,
  }
}

/** The tables `user` and `user`, joined. */
const betterAuth: Mapping = (row) => ({
  id: row.id,
  email: row.email,
  username: row.username ?? row.name,
  emailVerified: row.emailVerified ?? row.email_verified,
  disabled: row.banned,
  role: row.role === 'admin' ? 'Admin' : undefined,
  createdAt: row.createdAt ?? row.created_at,
  passwordHash: row.password,
})

/** The table of a Rails application. */
const devise: Mapping = (row) => ({
  email: row.email,
  username: row.username ?? row.name,
  emailVerified: Boolean(row.confirmed_at),
  disabled: Boolean(row.deleted_at),
  createdAt: row.created_at,
  passwordHash: row.encrypted_password,
})

/** The table `auth_user`. */
const django: Mapping = (row) => ({
  email: row.email,
  username: row.username,
  nickname: nameOf(row.first_name, row.last_name),
  role: isTrue(row.is_superuser) ? 'Admin' : undefined,
  disabled: row.is_active !== undefined && !isTrue(row.is_active),
  createdAt: row.date_joined,
  passwordHash: row.password?.startsWith('argon2$')
    ? row.password.slice(6)
    : djangoHash(row.password),
})

function djangoHash(password?: string) {
  return password?.replace(/^bcrypt\$\$/, '$')
}

function isTrue(value: unknown) {
  return value === true || /^(true|t|1|yes|on)$/i.test(String(value))
}

/** By the name of `--from`. */
export const MAPPINGS: Record<string, Mapping> = {
  gatehouse,
  keycloak,
  auth0,
  firebase,
  supabase,
  'better-auth': betterAuth,
  devise,
  django,
}

export { isTrue }
