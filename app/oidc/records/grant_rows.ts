import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { joinSession, sessionColumns, toSession } from './grant_session.ts'
import { hashRecordId } from './record_rows.ts'
import type { Transaction } from '#database/transaction'

export const KIND = 'Grant'

/** Remembers in which browser an ended grant began: a logout by its ID token may come later. */
export const ENDED_KIND = 'EndedGrant'

export interface GrantReference {
  grantId: string
  userId: string
  clientId: string
}

function toReference(row: any): GrantReference {
  return { grantId: row.grant_id, userId: row.user_id, clientId: row.client_id }
}

type Match = Partial<Record<'client_id' | 'user_id' | 'web_session_id', string>>

function currentGrants(match: Match, trx?: Transaction) {
  const grants = (trx ?? db).from('oauth_records').where({ kind: KIND, ...match })
  return grants.where('expires_at', '>', Date.now())
}

export async function selectGrants(match: Match, trx?: Transaction): Promise<GrantReference[]> {
  const rows = await currentGrants(match, trx).orderBy('expires_at', 'desc')
  return rows.map(toReference)
}

const OF_BROWSER = `SELECT issued.grant_id, issued.payload, ${sessionColumns('issued', 'owner')}
  FROM oauth_records issued JOIN users owner ON owner.id = issued.user_id ${joinSession('issued')}
  WHERE issued.kind = 'Grant' AND issued.client_id = ? AND issued.user_id = ?
    AND issued.web_session_id = ? AND issued.expires_at > ?
  ORDER BY issued.expires_at DESC LIMIT 1`

/** Finds the last grant of a client in a browser. */
export async function findGrantOfBrowser(clientId: string, userId: string, webSessionId: string) {
  const bindings = [clientId, userId, webSessionId, Date.now()]
  const [row] = await selectRows<any>(db.connection(), OF_BROWSER, bindings)
  if (!row) return null
  return {
    grantId: row.grant_id as string,
    payload: row.payload as string,
    session: toSession(row),
  }
}

export async function selectSomeGrants(
  clientId: string,
  limit: number,
  trx?: Transaction
): Promise<GrantReference[]> {
  const rows = await currentGrants({ client_id: clientId }, trx).limit(limit)
  return rows.map(toReference)
}

export async function hasGrants(clientId: string, trx?: Transaction) {
  return Boolean(await currentGrants({ client_id: clientId }, trx).select('id_hash').first())
}

export async function countGrants(clientId: string, trx?: Transaction) {
  const [{ total }] = await currentGrants({ client_id: clientId }, trx).count('* as total')
  return Number(total)
}

export async function usersWithGrant(clientId: string, limit: number): Promise<string[]> {
  const rows = await currentGrants({ client_id: clientId }).distinct('user_id').limit(limit)
  return rows.map((row) => row.user_id)
}

interface GrantPosition {
  expiresAt: number
  idHash: string
}

/** Reads pages along the index, each as fast as the first. A user may be on several pages. */
export async function usersWithGrantAfter(
  clientId: string,
  { after, limit }: { after: GrantPosition | null; limit: number }
) {
  const grants = db.from('oauth_records').where({ kind: KIND, client_id: clientId })
  /** One lower bound only: of two, SQLite would use the first and read each page from the start. */
  if (after) grants.whereRaw('(expires_at, id_hash) > (?, ?)', [after.expiresAt, after.idHash])
  else grants.where('expires_at', '>', Date.now())
  const rows = await grants
    .orderBy([{ column: 'expires_at' }, { column: 'id_hash' }])
    .limit(limit)
    .select('user_id', 'expires_at', 'id_hash')
  const last = rows.length === limit ? rows.at(-1) : null
  return {
    userIds: [...new Set(rows.map((row) => row.user_id as string))],
    next: last && { expiresAt: Number(last.expires_at), idHash: last.id_hash as string },
  }
}

/** Returns milliseconds since the epoch by client id. */
export async function lastGrantTimes(clientIds: string[]) {
  if (clientIds.length === 0) return new Map<string, number>()
  const places = clientIds.map(() => '?').join(', ')
  const rows = await selectRows<{ client_id: string; payload: string | null }>(
    db.connection(),
    `SELECT client.client_id, (
       SELECT payload FROM oauth_records AS record
        WHERE record.client_id = client.client_id AND record.kind = kinds.kind
        ORDER BY record.expires_at DESC LIMIT 1
     ) AS payload FROM oauth_clients AS client
     CROSS JOIN (SELECT ? AS kind UNION ALL SELECT ?) AS kinds
     WHERE client.client_id IN (${places})`,
    [KIND, ENDED_KIND, ...clientIds]
  )
  const times = new Map<string, number>()
  for (const { client_id: id, payload } of rows) {
    const time = payload ? JSON.parse(payload).iat * 1_000 : 0
    if (time > (times.get(id) ?? 0)) times.set(id, time)
  }
  return times
}

export interface BrowserGrant extends GrantReference {
  /** True with `offline_access`, which outlives the browser (Back-Channel Logout 1.0, 2.7). */
  isOffline: boolean
}

/** Returns the grants that began in a browser. */
export async function selectGrantsOfBrowser(
  { userId, webSessionId }: { userId: string; webSessionId: string },
  trx?: Transaction
): Promise<BrowserGrant[]> {
  const rows = await currentGrants({ user_id: userId, web_session_id: webSessionId }, trx)
  return rows.map((row) => ({ ...toReference(row), isOffline: isOffline(row) }))
}

interface Move {
  userId: string
  /** `from` and `to` are ids of web sessions. */
  from: string
  to: string
}

/** Moves the grants of a user who signs in again in the same browser. */
export async function moveGrants({ userId, from, to }: Move, trx: Transaction) {
  const rows = await currentGrants({ user_id: userId, web_session_id: from }, trx)
  for (const { id_hash: idHash, payload } of rows) {
    const moved = JSON.stringify({ ...JSON.parse(payload), webSessionId: to })
    const row = trx.from('oauth_records').where({ kind: KIND, id_hash: idHash })
    await row.update({ payload: moved, web_session_id: to })
  }
}

function isOffline({ payload }: { payload: string }) {
  const scopes: string[] = JSON.parse(payload).openid?.scope?.split(' ') ?? []
  return scopes.includes('offline_access')
}

/** Finds where a grant began, even if it has ended. Returns null if it began in no browser. */
export async function findGrantOrigin(grantId: string) {
  const grant = db.from('oauth_records').where('id_hash', hashRecordId({ kind: KIND, id: grantId }))
  const row = await grant.whereIn('kind', [KIND, ENDED_KIND]).first()
  if (!row?.web_session_id) return null
  const { browserId = null } = JSON.parse(row.payload)
  const webSessionId: string = row.web_session_id
  return { webSessionId, browserId: browserId as string | null, isOffline: isOffline(row) }
}
