import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { selectRows } from '#database/select_rows'
import { toClient } from '#oidc/clients/client_row'
import type { Group } from '#groups/group'
import type { OAuthClient } from '#oidc/clients/client'
import type { Transaction } from '#database/transaction'

const GROUPS = { access: 'groups' }

/** Of the clients that the user has sessions with, those that not everybody may enter. */
export async function restrictedClientsOf(userId: string, trx: Transaction) {
  const grants = trx.from('oauth_records').where({ kind: 'Grant', user_id: userId })
  const rows = await trx
    .from('oauth_clients')
    .where(GROUPS)
    .whereIn('client_id', grants.where('expires_at', '>', Date.now()).select('client_id'))
  return rows.map((row) => toClient(row))
}

/** In one order, so that two deletions do not wait for each other. */
export async function lockClientsWith(groupId: string, trx: Transaction): Promise<OAuthClient[]> {
  const rows = await naming(groupId, trx).orderBy('id').forUpdate()
  return rows.map((row) => toClient(row))
}

/** Whether one of the groups opens an application, or is in its tokens. */
export async function areGroupsInUse(groups: Pick<Group, 'id' | 'name'>[], trx: Transaction) {
  if (await isOneAllowed(groups, trx)) return true
  const prefixes = await claimedPrefixes(trx)
  return groups.some(({ name }) => hasOneOf(prefixes, name))
}

const CLAIMED = /^groups(?:$|:)/

/** All groups are in the claim `groups`, whose prefix is empty, and groups of a prefix in others. */
async function claimedPrefixes(trx: Transaction) {
  const rows = await trx.from('oauth_clients').whereLike('claims', '%"groups%').select('claims')
  const claims = rows.map((row) => JSON.parse(row.claims) as OAuthClient['claims'])
  const sources = claims.flatMap((each) => Object.values(each))
  const ofGroups = sources.filter((source) => CLAIMED.test(source))
  return new Set(ofGroups.map((source) => source.replace(CLAIMED, '')))
}

/** A name has few beginnings, and the clients may claim thousands. */
function hasOneOf(prefixes: Set<string>, name: string) {
  for (let end = 0; end <= name.length; end++) if (prefixes.has(name.slice(0, end))) return true
  return false
}

/** In one pass over the clients: a change may name 200 groups. */
async function isOneAllowed(groups: Pick<Group, 'id'>[], trx: Transaction) {
  const isAllowed = trx.dialect.name === 'postgres' ? IS_ALLOWED.postgres : IS_ALLOWED.sqlite
  const ids = JSON.stringify(groups.map(({ id }) => id))
  const sql = `SELECT 1 FROM oauth_clients WHERE allowed_groups <> '[]' AND EXISTS (
    SELECT 1 FROM ${isAllowed}) LIMIT 1`
  const rows = await selectRows(trx, sql, [ids])
  return rows.length > 0
}

const IS_ALLOWED = {
  postgres: `jsonb_array_elements_text(CAST(allowed_groups AS jsonb)) AS allowed (id)
    WHERE id IN (SELECT jsonb_array_elements_text(CAST(? AS jsonb)))`,
  sqlite: 'json_each(allowed_groups) WHERE value IN (SELECT value FROM json_each(?))',
}

/** By name. */
export async function listClientsOf(groupId: string, limit: number): Promise<OAuthClient[]> {
  const rows = await naming(groupId, db.connection()).orderBy('name').orderBy('id').limit(limit)
  return rows.map((row) => toClient(row))
}

function naming(groupId: string, client: QueryClientContract) {
  return client.from('oauth_clients').whereLike('allowed_groups', `%${groupId}%`)
}
