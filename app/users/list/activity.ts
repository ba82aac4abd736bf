import type { UserQuery } from './user_query.ts'

/** The index covers this expression. */
const SIGNED_IN = 'COALESCE(last_login_at, 0)'

export function whereActive(query: UserQuery, since: number) {
  query.whereRaw(`${SIGNED_IN} >= ?`, [since])
}

/** A user who never signed in is inactive since their creation. Each half has an index. */
export function whereInactive(query: UserQuery, since: number) {
  query.where((users) =>
    users
      .where((used) => used.whereRaw(`${SIGNED_IN} > 0 AND ${SIGNED_IN} < ?`, [since]))
      .orWhere((unused) => unused.whereNull('last_login_at').where('created_at', '<', since))
  )
}

/** Applies the same condition in a form that no index covers. */
export function whereInactiveScan(query: UserQuery, since: number) {
  query.whereRaw('COALESCE(last_login_at, created_at) < ?', [since])
}
