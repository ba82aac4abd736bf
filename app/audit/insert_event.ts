import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'

interface Row {
  actor_id: string | null
  target_id: string | null
  origin_key: string | null
  personal_key: string | null
  ip_hash: string | null
  [column: string]: string | number | null
}

/**
 * The lookup hash of the address stays empty if another process has deleted the key. On Postgres
 * the key is locked until the commit, so that a later deletion also empties this hash.
 * @param needsKeys inserts nothing if a key of the row was deleted
 * @returns false if nothing was inserted
 */
export async function insertEvent(
  row: Row,
  { needsKeys }: { needsKeys: boolean },
  trx: Transaction
) {
  const { ip_hash: ipHash, ...others } = row
  const isOfUser = Boolean(row.actor_id ?? row.target_id)
  const lock = isOfUser && trx.dialect.name === 'postgres' ? 'FOR KEY SHARE' : ''
  const lookup = `(SELECT CAST(? AS varchar) WHERE ${HAS_KEY} ${lock}))`
  const keys = needsKeys ? keysOf(row) : []
  const columns = Object.keys(others)
  const inserted = await selectRows(
    trx,
    `INSERT INTO audit_events (${columns.join(', ')}, ip_hash)
     SELECT ${columns.map(() => '?').join(', ')}, ${ipHash ? lookup : 'NULL'}
     WHERE ${['1 = 1', ...keys.map(() => `${HAS_KEY})`)].join(' AND ')} RETURNING id`,
    [...Object.values(others), ...(ipHash ? [ipHash, row.origin_key] : []), ...keys]
  )
  return inserted.length === 1
}

/** One lookup for a key of both parts: SQLite compiles a text with two lookups at each run. */
function keysOf({ origin_key: origin, personal_key: personal }: Row) {
  return [...new Set([origin, personal])].filter((key) => key !== null)
}

const HAS_KEY = 'EXISTS (SELECT 1 FROM audit_keys WHERE id = ?'
