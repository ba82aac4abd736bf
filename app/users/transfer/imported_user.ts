import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { DEFAULT_ROLE } from '#models/user'
import { ROLES } from '#auth/roles'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'
import { canonicalEmail } from '#auth/email'
import { isDisplayName, truncated } from '#users/display_name'
import { identitiesOf, originOf, type Identity } from './imported_identities.ts'
import { isTrue, MAPPINGS, type ImportedUser } from './formats.ts'
import { UnreadableRow } from './unreadable_row.ts'
import type { ReadRow } from './read_rows.ts'

/** A row of an export as a row of `users`, or why it cannot become one. */
export type PreparedUser =
  | { outcome: 'usable'; user: UserRow & { email: string }; identities: Identity[] }
  | { outcome: 'refused'; email: string | null; reason: string }

type UserRow = Record<string, string | number | boolean | null>

/** Identities of one user. The rows of a batch have to fit into one statement each. */
const MAX_IDENTITIES = 20

/** @param from a key of `MAPPINGS` */
export function prepareUser(row: ReadRow['row'], from: string): PreparedUser {
  if (row instanceof UnreadableRow) return refused(null, row.reason)
  try {
    return toUser(MAPPINGS[from](row))
  } catch (error) {
    if (error instanceof UnreadableRow) return refused(null, error.reason)
    return refused(null, `is not shaped as an export of ${from}`)
  }
}

function refused(email: string | null, reason: string): PreparedUser {
  return { outcome: 'refused', email, reason }
}

function toUser(imported: ImportedUser): PreparedUser {
  const given = text(imported.email)
  const email = given && canonicalEmail(given)
  if (!given) return refused(null, 'has no e-mail: the column or member is called email')
  if (!email) return refused(given, 'has no valid e-mail')
  const role = text(imported.role) ?? DEFAULT_ROLE
  if (!ROLES.includes(role)) return refused(email, `has the unknown role ${role}`)
  const password = text(imported.passwordHash)
  if (password && !findHashFormat(password)) {
    return refused(email, 'has a password hash of an unknown kind, or too weak or too costly')
  }
  if (![imported.username, imported.nickname].every(isShown)) {
    return refused(email, 'has invisible characters in a name')
  }
  const identities = identitiesOf(imported.identities)
  if (identities.length > MAX_IDENTITIES) return refused(email, 'has too many identities')
  const user = { ...rowOf(imported, { email, role, password }), ...originOf(identities) }
  return { outcome: 'usable', user, identities }
}

function rowOf(
  imported: ImportedUser,
  { email, role, password }: { email: string; role: string; password: string | null }
): UserRow & { email: string } {
  const now = Date.now()
  return {
    id: isUuid(imported.id) ? String(imported.id).toLowerCase() : uuidv7(),
    email,
    username: displayName(imported.username) ?? email.split('@')[0],
    nickname: displayName(imported.nickname),
    role,
    password,
    password_changed_at: now,
    email_verified_at: isTrue(imported.emailVerified) ? now : null,
    disabled_at: isTrue(imported.disabled) ? now : null,
    created_at: timestamp(imported.createdAt) ?? now,
    updated_at: now,
  }
}

function text(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** At most a hundred characters. */
function displayName(value: unknown) {
  const name = text(value)
  return name && truncated(name)
}

function isShown(value: unknown) {
  return isDisplayName(text(value) ?? '')
}

/** Milliseconds since the epoch, from such a number or from ISO 8601. */
function timestamp(value: unknown) {
  const written = String(value ?? '')
  const milliseconds = /^\d{10,14}$/.test(written) ? Number(written) : Date.parse(written)
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null
}
