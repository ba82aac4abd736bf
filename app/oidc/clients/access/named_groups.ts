import db from '@adonisjs/lucid/services/db'
import { oneAtATime } from '#database/one_at_a_time'
import { selectRows } from '#database/select_rows'
import { readNamedGroups, type NamedGroups } from './read_named_groups.ts'
import type { Group } from '#groups/group'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/*
 | Finds the groups that the access and the claims of all clients name. Each change of a membership
 | needs the answer, so it is kept until the configuration has another version.
 */

let known: { version: string; groups: NamedGroups } | null = null

type Named = Pick<Group, 'id' | 'name'>

/** Returns the groups that give access to an application or appear in its tokens. */
export async function findNamedGroups<Each extends Named>(groups: Each[], trx: Transaction) {
  const { allowedIds, prefixes } = await namedGroups(trx)
  return groups.filter(({ id, name }) => allowedIds.has(id) || hasOneOf(prefixes, name))
}

/** A name has few prefixes, but the clients may claim thousands of them. */
function hasOneOf(prefixes: Set<string>, name: string) {
  for (let end = 0; end <= name.length; end++) if (prefixes.has(name.slice(0, end))) return true
  return false
}

/** SQLite has one connection: within a transaction all other requests would wait for the reading. */
export const prepareNamedGroups = oneAtATime(() => namedGroups(db.connection()))

/** Reads the version first, so that a concurrent change belongs to a later version. */
export async function namedGroups(client: QueryClientContract) {
  const version = await versionFor(client)
  if (version !== null && known?.version === version) return known.groups
  const groups = await readNamedGroups(client)
  if (version !== null) known = { version, groups }
  return groups
}

/** Returns null in a transaction with changes: Postgres renews the version at the commit. */
async function versionFor(client: QueryClientContract) {
  const sql = client.dialect.name === 'postgres' ? VERSION.postgres : VERSION.sqlite
  const [row] = await selectRows<{ version: string }>(client, sql, [])
  return row?.version ?? null
}

const VERSION = {
  postgres: `SELECT version FROM configuration_version WHERE id = 1
    AND current_setting('gatehouse.changed_configuration', true) IS DISTINCT FROM 'yes'`,
  sqlite: 'SELECT version FROM configuration_version WHERE id = 1',
}
