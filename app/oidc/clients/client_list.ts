import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { whereContains } from '#database/contains'
import { toClients } from './client_rows.ts'
import type { OAuthClient } from './client.ts'

/* Pages are ordered by name, and each is as fast as the first. */

type Position = Pick<OAuthClient, 'name' | 'id'>

export interface ClientPage {
  search?: string | null
  /** The `next` of the previous page. */
  cursor?: string | null
  limit: number
}

/** An unknown cursor begins at the start. The validators refuse such cursors. */
export async function listClients({ search, cursor, limit }: ClientPage) {
  const after = cursor ? parseCursor(cursor) : null
  const { rows, hasMore } = await readPage({ search, after, limit })
  const clients = await toClients(rows)
  return { clients, next: hasMore ? formatCursor(clients.at(-1)!) : null }
}

interface RowRange {
  search?: string | null
  after: Position | null
  limit: number
}

/** Each page contains at least one client. */
async function readPage(range: RowRange) {
  const rows: any[] = []
  let bytes = 0
  for await (const row of rowsAfter(range)) {
    bytes += Object.values(row).join('').length
    const isTooLong = rows.length > 0 && bytes > limits.clientListBytes
    if (isTooLong || rows.length === range.limit) return { rows, hasMore: true }
    rows.push(row)
  }
  return { rows, hasMore: false }
}

/** Reads in batches, so that it reads little more than fits. */
async function* rowsAfter({ search, after, limit }: RowRange) {
  const size = Math.min(limit, limits.clientPage) + 1
  for (let last = after; ;) {
    const found = await readRows({ search, after: last, limit: size })
    yield* found
    if (found.length < size) return
    last = found.at(-1)
  }
}

function readRows({ search, after, limit }: RowRange): Promise<any[]> {
  const query = matching(search).orderBy('name').orderBy('id').limit(limit)
  if (after) query.whereRaw('(name, id) > (?, ?)', [after.name, after.id])
  return query.exec()
}

export async function countClients(search?: string | null) {
  const [{ total }] = await matching(search).count('* as total')
  return Number(total)
}

/** The index of migration 0073 contains them: SQLite reads no addresses of other clients. */
const SEARCHED = ['name', 'client_id', `substr(redirect_uris, 1, ${limits.clientSearchedText})`]

/** Finds clients by a part of the name, the id or an address. */
function matching(search?: string | null) {
  const query = db.from('oauth_clients')
  if (!search) return query
  return whereContains(query, Object.fromEntries(SEARCHED.map((each) => [each, search])))
}

function formatCursor({ name, id }: Position) {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url')
}

/** Refuses a NUL character, for which Postgres would throw an error. */
export function parseCursor(cursor: string): Position | null {
  try {
    const [name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isName = typeof name === 'string' && name.length <= limits.displayName
    return isName && !name.includes('\0') && isUuid(id) ? { name, id } : null
  } catch {
    return null
  }
}
