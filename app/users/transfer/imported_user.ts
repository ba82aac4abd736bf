import { v7 as uuidv7, validate as isUuid } from 'uuid'
import limits from '#config/limits'
import { DEFAULT_ROLE, type LockKind, type UserKind } from '#models/user'
import { ROLES } from '#models/roles'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'
import { handleOf, isHandle } from '#database/handle'
import { canonicalEmail, servicePlaceholder } from '#models/email'
import { groupsOf, type ImportedGroup } from './imported_groups.ts'
import { identitiesOf, firstIdentity, type Identity } from './imported_identities.ts'
import { isTrue, MAPPINGS, type ImportedUser } from './formats.ts'
import { handleOf as passkeyHandleOf, passkeysOf, type ImportedPasskey } from './passkey_columns.ts'
import {
  displayName,
  isShown,
  localeOf,
  metadataOf,
  reasonOf,
  text,
  timestamp,
} from './imported_values.ts'
import { readField, UnreadableRow } from './unreadable_row.ts'
import type { ReadRow } from './read_rows.ts'

export type PreparedUser =
  UsableUser | { outcome: 'refused'; email: string | null; field: string | null; reason: string }

interface UsableUser {
  outcome: 'usable'
  user: UserRow
  /** Whether the file names the handle, which may then be the name of a role. */
  hasHandle: boolean
  identities: Identity[]
  passkeys: ImportedPasskey[]
  groups: ImportedGroup[]
}

/** Every row needs every column: a multi-row insert stores NULL for a missing one. */
export interface UserRow {
  id: string
  kind: UserKind
  email: string
  username: string
  /** The handle that the user is to get; a number is added if it is taken. */
  handle: string
  nickname: string | null
  locale: string | null
  role: string
  password: string | null
  password_changed_at: number
  must_change_password: boolean
  email_verified_at: number | null
  locked_until: number | null
  lock_kind: LockKind | null
  disabled_at: number | null
  disabled_reason: string | null
  provider: string | null
  provider_id: string | null
  passkey_handle: string | null
  metadata: string | null
  app_metadata: string | null
  created_at: number
  updated_at: number
}

/** @param from a key of `MAPPINGS` */
export function prepareUser(row: ReadRow['row'], from: string): PreparedUser {
  if (row instanceof UnreadableRow) return refused(null, row)
  try {
    return toUser(MAPPINGS[from](row))
  } catch (error) {
    if (error instanceof UnreadableRow) return refused(text(row.email), error)
    return refused(null, new UnreadableRow(`is not shaped as an export of ${from}`))
  }
}

function refused(email: string | null, { field, reason }: UnreadableRow): PreparedUser {
  return { outcome: 'refused', email, field, reason }
}

function toUser(imported: ImportedUser): PreparedUser {
  if (imported.kind === 'service') return toServiceAccount(imported)
  const email = emailOf(imported)
  const identities = readField('identities', () => identitiesOf(imported.identities))
  assertUsable(imported, identities)
  const passkeyHandle = passkeyHandleOf(imported.passkeyHandle)
  const passkeys = readField('passkeys', () => (passkeyHandle ? passkeysOf(imported.passkeys) : []))
  const row = rowOf(imported, email)
  const user = { ...row, ...firstIdentity(identities), passkey_handle: passkeyHandle }
  const groups = readField('groups', () => groupsOf(imported.groups))
  return { outcome: 'usable', user, hasHandle: hasHandle(imported), identities, passkeys, groups }
}

function emailOf(imported: ImportedUser) {
  const given = text(imported.email)
  if (!given)
    throw new UnreadableRow('has no e-mail: the column or member is called email', 'email')
  const email = canonicalEmail(given)
  if (!email) throw new UnreadableRow('has no valid e-mail', 'email')
  return email
}

function toServiceAccount(imported: ImportedUser): PreparedUser {
  const username = displayName(imported.username)
  if (!username)
    throw new UnreadableRow('has no username, which a service account needs', 'username')
  const given = { ...imported, passwordHash: null, emailVerified: false, lockedUntil: null }
  assertUsable(given, [])
  const row = rowOf({ ...given, mustChangePassword: false }, '')
  const user: UserRow = { ...row, kind: 'service', email: servicePlaceholder(row.id), username }
  const groups = readField('groups', () => groupsOf(imported.groups))
  return { outcome: 'usable', user, hasHandle: true, identities: [], passkeys: [], groups }
}

const roleOf = (imported: ImportedUser) => text(imported.role) ?? DEFAULT_ROLE

/** @throws UnreadableRow */
function assertUsable(imported: ImportedUser, identities: Identity[]) {
  const role = roleOf(imported)
  const password = text(imported.passwordHash)
  if (!ROLES.includes(role)) throw new UnreadableRow(`has the unknown role ${role}`, 'role')
  if (password && !findHashFormat(password)) throw new UnreadableRow(UNKNOWN_HASH, 'passwordHash')
  const hidden = (['username', 'nickname'] as const).find((name) => !isShown(imported[name]))
  if (hidden) throw new UnreadableRow('has invisible characters in a name', hidden)
  if (hasHandle(imported) && !isHandle(imported.handle))
    throw new UnreadableRow('has no valid handle: small letters, digits and . _ - alone', 'handle')
  if (identities.length > limits.identities)
    throw new UnreadableRow('has too many identities', 'identities')
}

function hasHandle({ handle }: ImportedUser) {
  return handle !== undefined && handle !== null && handle !== ''
}

const UNKNOWN_HASH = 'has a password hash of an unknown kind, or too weak or too costly'

function rowOf(imported: ImportedUser, email: string): UserRow {
  const username = displayName(imported.username) ?? email.split('@')[0]
  return {
    id: isUuid(imported.id) ? String(imported.id).toLowerCase() : uuidv7(),
    kind: 'person',
    email,
    username,
    handle: hasHandle(imported) ? String(imported.handle) : handleOf(username, email),
    nickname: displayName(imported.nickname),
    locale: localeOf(imported.locale),
    role: roleOf(imported),
    password: text(imported.passwordHash),
    must_change_password: isTrue(imported.mustChangePassword),
    passkey_handle: null,
    metadata: metadataOf('metadata', imported),
    app_metadata: metadataOf('appMetadata', imported),
    ...firstIdentity([]),
    ...statesOf(imported),
  }
}

/** Every lock is by an administrator, because locks after failed attempts are not exported. */
function statesOf(imported: ImportedUser) {
  const now = Date.now()
  const lockedUntil = timestamp(imported.lockedUntil)
  const isLocked = lockedUntil !== null && lockedUntil > now
  const isDisabled = isTrue(imported.disabled)
  return {
    password_changed_at: now,
    email_verified_at: isTrue(imported.emailVerified) ? now : null,
    locked_until: isLocked ? lockedUntil : null,
    lock_kind: isLocked ? ('administrator' as const) : null,
    disabled_at: isDisabled ? now : null,
    disabled_reason: isDisabled ? reasonOf(imported.disabledReason) : null,
    created_at: timestamp(imported.createdAt) ?? now,
    updated_at: now,
  }
}
