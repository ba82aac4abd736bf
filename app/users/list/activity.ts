import type { UserQuery } from './user_query.ts'

/** The index covers this expression. */
const SIGNED_IN = 'COALESCE(last_login_at, 0)'

export function whereActive(query: UserQuery, since: number) {
  query.whereRaw(`${SIGNED_IN} >= ?`, [since])
}

/** A user who never signed in is inactive since their creation. */
export function whereInactive(query: UserQuery, since: number) {
  query
    .whereRaw(`${SIGNED_IN} < ?`, [since])
    .where((old) => old.whereNotNull('last_login_at').orWhere('created_at', '<', since))
}
