import { walkUsers } from '#users/list/list_users'
import type { UserFilter } from '#users/list/filter'
import type User from '#models/user'
import { groupsOf, identitiesOf, passkeysOf } from './exported_lists.ts'
import type { ExportedPasskey } from './passkey_columns.ts'
import UserTransformer, { type SingleRecord } from '#transformers/user_transformer'

const EXPORT_COLUMNS: (keyof SingleRecord)[] = [
  'id',
  'email',
  'emailVerified',
  'username',
  'nickname',
  'role',
  'disabled',
  'mfaEnabled',
  'lastLoginAt',
  'createdAt',
  'updatedAt',
  'kind',
  'handle',
  'metadata',
  'appMetadata',
]

/** @param withHashes adds the password hash and the passkeys, for an import elsewhere */
export async function* exportUsers(
  filter: UserFilter,
  { withHashes = false } = {}
): AsyncGenerator<Record<string, unknown>> {
  for await (const users of walkUsers(filter)) {
    const identities = await identitiesOf(users)
    const groups = await groupsOf(users)
    const passkeys = withHashes ? await passkeysOf(users) : null
    for (const user of users) {
      const own = { ...columnsOf(user), ...statesOf(user) }
      const lists = { identities: identities.get(user.id) ?? [], groups: groups.get(user.id) ?? [] }
      const record = { ...own, ...lists }
      yield passkeys ? { ...record, ...credentialsOf(user, passkeys) } : record
    }
  }
}

function columnsOf(user: User): Record<string, unknown> {
  const record = new UserTransformer(user).single({})
  return Object.fromEntries(EXPORT_COLUMNS.map((column) => [column, record[column]]))
}

/** Locks and required password changes must still hold after an import. */
function statesOf(user: User) {
  const isLocked = user.currentLockKind === 'administrator'
  return {
    lockedUntil: isLocked ? user.lockedUntil!.toUTC().toISO() : null,
    disabledReason: user.disabledReason ?? null,
    mustChangePassword: Boolean(user.mustChangePassword),
    locale: user.locale ?? null,
  }
}

function credentialsOf(user: User, passkeys: Map<string, ExportedPasskey[]>) {
  return {
    passwordHash: user.password ?? null,
    passkeyHandle: user.passkeyHandle ?? null,
    passkeys: passkeys.get(user.id) ?? [],
  }
}
