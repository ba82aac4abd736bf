import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { toClients } from './client_rows.ts'
import type { OAuthClient } from './client.ts'

/* Pages by name, each as quick as the first. */

type Position = Pick<OAuthClient, 'name' | 'id'>

export interface ClientPage {
  search?: string | null
  /** A `next` of the page before. */
  cursor?: string | null
  limit: number
}

/** A cursor that no page gave begins at the start; the validators refuse it. */
export async function listClients({ search, cursor, limit }: ClientPage) {
  const query = matching(search)
    .orderBy('name')
    .orderBy('id')
    .limit(limit + 1)
  const after = cursor ? parseCursor(cursor) : null
  if (after) query.whereRaw('(name, id) > (?, ?)', [after.name, after.id])
  const found = await query
  const clients = await toClients(found.slice(0, limit))
  return { clients, next: found.length > limit ? formatCursor(clients.at(-1)!) : null }
}

export async function countClients(search?: string | null) {
  const [{ total }] = await matching(search).count('* as total')
  return Number(total)
}

/** By a part of its name, of its id or of an address. */
function matching(search?: string | null) {
  const query = db.from('oauth_clients')
  if (!search) return query
  const like = query.client.dialect.name === 'postgres' ? 'ILIKE' : 'LIKE'
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const columns = ['name', 'client_id', 'redirect_uris']
  return query.where((some) => {
    for (const column of columns) some.orWhereRaw(`${column} ${like} ? ESCAPE '\\'`, [pattern])
  })
}

function formatCursor({ name, id }: Position) {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url')
}

/** Postgres refuses a text with a NUL character by an error. */
export function parseCursor(cursor: string): Position | null {
  try {
    const [name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isName = typeof name === 'string' && name.length <= limits.displayName
    return isName && !name.includes('\0') && isUuid(id) ? { name, id } : null
  } catch {
    return null
  }
}
