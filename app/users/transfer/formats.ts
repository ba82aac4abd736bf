import { handleOf } from '#database/handle'
import { djangoHash, firebaseHash, keycloakHash, type ForeignRow } from './exported_hashes.ts'
import { keycloakGroups } from './imported_groups.ts'
import { timestamp } from './imported_values.ts'

export interface ImportedUser {
  /** `service` for a service account of our own format, which has no e-mail. */
  kind?: unknown
  email?: unknown
  username?: unknown
  /** Set if applications know the user by it already; by default derived from the username. */
  handle?: unknown
  nickname?: unknown
  role?: unknown
  emailVerified?: unknown
  disabled?: unknown
  disabledReason?: unknown
  /** Our own format: when a lock by an administrator ends. */
  lockedUntil?: unknown
  mustChangePassword?: unknown
  locale?: unknown
  passwordHash?: unknown
  createdAt?: unknown
  /** A UUID is kept, because clients know their users by it. */
  id?: unknown
  identities?: unknown
  /** Our own format: public keys, and the user handle of WebAuthn. */
  passkeys?: unknown
  passkeyHandle?: unknown
  /** Our own format: objects, or their JSON. */
  metadata?: unknown
  /** Names of groups. */
  groups?: unknown
  appMetadata?: unknown
}

type Mapping = (row: ForeignRow) => ImportedUser

/** A time as databases write it, from 1970 on. */
const TIME = /^(\d{10,14}$|(19[7-9]\d|[2-9]\d{3})-\d\d-\d\d)/

/** Some tools write a word or the year 1 for a missing time, which proves no address. */
const isTime = (value: unknown) => TIME.test(String(value)) && timestamp(value) !== null

/** Any value keeps a user out, even one that is no time, except a word for a missing time. */
const isGiven = (value: unknown) => Boolean(value) && !/^(null|nil|\\N)$/i.test(String(value))

function nameOf(...parts: unknown[]) {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ') || undefined
}

const gatehouse: Mapping = (row) => ({
  ...row,
  passwordHash: row.passwordHash ?? row.password_hash,
})

/** Applications know users of Keycloak by the username, which may be an address. */
function keycloakHandle({ username, email }: ForeignRow) {
  return username ? handleOf(String(username), String(email)) : undefined
}

/** `kc.sh export`; each credential is JSON within JSON. */
const keycloak: Mapping = (row) => {
  const credential = row.credentials?.find((each: ForeignRow) => each.type === 'password')
  return {
    id: row.id,
    email: row.email,
    username: row.username ?? nameOf(row.firstName, row.lastName),
    handle: keycloakHandle(row),
    nickname: nameOf(row.firstName, row.lastName),
    emailVerified: row.emailVerified,
    disabled: row.enabled === false,
    mustChangePassword: row.requiredActions?.includes('UPDATE_PASSWORD'),
    createdAt: row.createdTimestamp,
    passwordHash: credential && keycloakHash(credential),
    groups: keycloakGroups(row),
  }
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

/** `firebase auth:export` */
const firebase: Mapping = (row) => ({
  email: row.email,
  username: row.displayName,
  emailVerified: row.emailVerified,
  disabled: row.disabled,
  createdAt: row.createdAt,
  passwordHash: row.passwordHash && firebaseHash(row),
})

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
    emailVerified: isTime(row.email_confirmed_at),
    disabled: isBanned(row.banned_until),
    createdAt: row.created_at,
    passwordHash: row.encrypted_password,
  }
}

/** Postgres writes a ban without an end as `infinity`. */
function isBanned(until: unknown) {
  return until === 'infinity' || Date.parse(String(until)) > Date.now()
}

/** The tables `user` and `account`, joined. */
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
  emailVerified: isTime(row.confirmed_at),
  disabled: isGiven(row.deleted_at),
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
  passwordHash: djangoHash(row.password),
})

export function isTrue(value: unknown) {
  return value === true || /^(true|t|1|yes|on)$/i.test(String(value))
}

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
