import env from '#start/env'

/*
 | Reads the session of a grant together with the grant. It is active by the rules of
 | `store.tokenStatus`, and never for a client in deletion. Redis has its own sessions.
 */

const isInDatabase = env.get('STORE') !== 'redis'

const isPostgres = env.get('DB_CONNECTION') === 'pg'

export interface SessionOfGrant {
  isActive: boolean
  amr: string[]
  authenticatedAt: number
}

/** For statements that join `oauth_records` and `users` under these names. */
export function joinSession(record: string) {
  if (!isInDatabase) return ''
  const id = isPostgres ? `CAST(${record}.grant_id AS uuid)` : `${record}.grant_id`
  return `LEFT JOIN sessions session ON session.id = ${id} AND session.user_id = ${record}.user_id`
}

/** Reads the deletion with the session: its mark is removed after the last session has ended. */
export function sessionColumns(record: string, user: string) {
  if (!isInDatabase) return 'NULL AS session_expires_at'
  return `session.amr AS session_amr, session.authenticated_at AS session_authenticated_at,
    CASE WHEN ${user}.disabled_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM client_deletions gone WHERE gone.client_id = ${record}.client_id
    ) THEN session.expires_at END AS session_expires_at`
}

/** Returns undefined if the session store has to be asked. */
export function toSession(row: any): SessionOfGrant | undefined {
  if (!isInDatabase) return undefined
  return {
    isActive: Number(row.session_expires_at ?? 0) > Date.now(),
    amr: row.session_amr ? row.session_amr.split(' ') : [],
    authenticatedAt: Number(row.session_authenticated_at),
  }
}
