import limits from '#config/limits'
import { inBatches } from '#database/batches'
import type { ClaimSources } from '#auth/claims/claim_sources'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

export interface NamedGroups {
  allowedIds: Set<string>
  /** Prefixes of group names. The claim `groups` has the empty prefix. */
  prefixes: Set<string>
}

export async function readNamedGroups(client: QueryClientContract): Promise<NamedGroups> {
  const [allowedIds, prefixes] = [new Set<string>(), new Set<string>()]
  await eachClient<{ allowed_groups: string }>(ALLOWED, client, (row) => {
    for (const id of JSON.parse(row.allowed_groups)) allowedIds.add(id)
  })
  await eachClient<{ claims: string }>(CLAIMED, client, (row) => {
    for (const prefix of prefixesOf(JSON.parse(row.claims))) prefixes.add(prefix)
  })
  return { allowedIds, prefixes }
}

/** Indexes cover these conditions and, on SQLite, also the selected columns (migration 0073). */
export const ALLOWED = { column: 'allowed_groups', condition: `allowed_groups <> '[]'` }

const CLAIMED = { column: 'claims', condition: `claims LIKE '%"groups%'` }

async function eachClient<Row>(
  { column, condition }: typeof ALLOWED,
  client: QueryClientContract,
  take: (row: Row) => void
) {
  let after: string | null = null
  await inBatches(async (size) => {
    const query = client.from('oauth_clients').whereRaw(condition).orderBy('id').limit(size)
    if (after) query.where('id', '>', after)
    const rows = await query.select('id', column)
    for (const row of rows) take(row)
    after = rows.at(-1)?.id
    return rows.length
  })
}

const GROUPS = /^groups(?:$|:)/

/** Leaves out prefixes that are longer than any name. */
function prefixesOf(claims: ClaimSources) {
  const sources = Object.values(claims).filter((source) => GROUPS.test(source))
  const prefixes = sources.map((source) => source.replace(GROUPS, ''))
  return prefixes.filter((prefix) => [...prefix].length <= limits.groupName)
}
