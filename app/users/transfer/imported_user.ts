import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { DEFAULT_ROLE } from '#models/user'
import { ROLES } from '#auth/roles'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'
import { canonicalEmail, servicePlaceholder } from '#auth/email'
import { identitiesOf, originOf, type Identity } from './imported_identities.ts'
import { isTrue, MAPPINGS, type ImportedUser } from './formats.ts'
import { handleOf, passkeysOf, type ImportedPasskey } from './passkey_columns.ts'
import { displayName, isShown, text, timestamp } from './imported_values.ts'
import { UnreadableRow } from './unreadable_row.ts'
import type { ReadRow } from './read_rows.ts'

/** A row of an export as a row of `users`, or why it cannot become one. */
export type PreparedUser =
  | {
      outcome: 'usable'
      user: UserRow & { email: string }
      identities: Identity[]
      passkeys: ImportedPasskey[]
    }
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

/** A service account of our own format. Its id is kept, or a new one names it. */
function toServiceAccount(imported: ImportedUser): PreparedUser {
  const name = displayName(imported.username)
  if (!name) return refused(null, 'has no username, which a service account needs')
  const reason = refusalReason({ ...imported, passwordHash: undefined }, [])
  if (reason) return refused(null, reason)
  const row = rowOf({ ...imported, passwordHash: undefined, emailVerified: false }, '')
  const email = servicePlaceholder(String(row.id))
  const user = {
    ...row,
    email,
    username: name,
    kind: 'service',
    ...originOf([]),
    passkey_handle: null,
  }
  return { outcome: 'usable', user, identities: [], passkeys: [] }
}

function toUser(imported: ImportedUser): PreparedUser {
  if (imported.kind === 'service') return toServiceAccount(imported)
  const given = text(imported.email)
  const email = given && canonicalEmail(given)
  if (!given) return refused(null, 'has no e-mail: the column or member is called email')
  if (!email) return refused(given, 'has no valid e-mail')
  const identities = identitiesOf(imported.identities)
  const reason = refusalReason(imported, identities)
  if (reason) return refused(email, reason)
  const handle = handleOf(imported.passkeyHandle)
  const passkeys = handle ? passkeysOf(imported.passkeys) : []
  const user = { ...rowOf(imported, email), ...originOf(identities), passkey_handle: handle }
  return { outcome: 'usable', user, identities, passkeys }
}

const roleOf = (imported: ImportedUser) => text(imported.role) ?? DEFAULT_ROLE

function refusalReason(imported: ImportedUser, identities: Identity[]) {
  const role = roleOf(imported)
  const password = text(imported.passwordHash)
  if (!ROLES.includes(role)) return `has the unknown role ${role}`
  if (password && !findHashFormat(password))
    return 'has a password hash of an unknown kind, or too weak or too costly'
  if (![imported.username, imported.nickname].every(isShown))
    return 'has invisible characters in a name'
  return identities.length > MAX_IDENTITIES ? 'has too many identities' : null
}

function rowOf(imported: ImportedUser, email: string): UserRow & { email: string } {
  return {
    id: isUuid(imported.id) ? String(imported.id).toLowerCase() : uuidv7(),
    email,
    username: displayName(imported.username) ?? email.split('@')[0],
    nickname: displayName(imported.nickname),
    role: roleOf(imported),
    password: text(imported.passwordHash),
    ...timesOf(imported),
  }
}

function timesOf({ emailVerified, disabled, createdAt }: ImportedUser) {
  const now = Date.now()
  return {
    password_changed_at: now,
    email_verified_at: isTrue(emailVerified) ? now : null,
    disabled_at: isTrue(disabled) ? now : null,
    created_at: timestamp(createdAt) ?? now,
    updated_at: now,
  }
}
