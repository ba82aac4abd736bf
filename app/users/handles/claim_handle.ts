import { randomInt } from 'node:crypto'
import settings from '#config/handles'
import { hashHandle, isOneOf, numbered } from '#database/handle'
import { selectRows } from '#database/select_rows'
import { ROLES } from '#models/roles'
import { E_HANDLE_TAKEN } from '#users/errors'
import type { Transaction } from '#database/transaction'

/*
 | `handles` has a row for each handle that was ever given. Its primary key decides who gets one, so
 | concurrent requests get different handles. A deleted user's row stays, without the user id.
 */

const RESERVED = new Set([...settings.reserved, ...ROLES.map((role) => role.toLowerCase())])

export function isReserved(handle: string) {
  return isOneOf(RESERVED, handle)
}

interface HandleClaim {
  userId: string
  handle: string
}

/**
 * Claims the handle, or the handle with a number if it is taken.
 * @param mayReserve whether the user may get the name of a role or a system
 */
export async function claimHandle(
  { userId, handle }: HandleClaim,
  mayReserve: boolean,
  trx: Transaction
) {
  const plain = mayReserve || !isReserved(handle) ? [handle] : []
  const small = Array.from({ length: 8 }, (_, at) => numbered(handle, at + 2))
  let candidates = [...plain, ...small, ...randomlyNumbered(handle)]
  for (let attempt = 0; attempt < settings.attempts; attempt++) {
    const claimed = await claimFirst(userId, candidates, trx)
    if (claimed) return claimed
    candidates = randomlyNumbered(handle)
  }
  throw new E_HANDLE_TAKEN()
}

/** Adds ever longer numbers, because thousands of users may have a common name. */
function randomlyNumbered(handle: string) {
  return [100, 1_000, 10_000, 1_000_000, 1_000_000_000].map((limit) =>
    numbered(handle, randomInt(limit / 10, limit))
  )
}

/**
 * Also compares the handles of users, because a lost `APP_KEY` would make every hash unknown.
 * @returns null if a concurrent transaction claimed the handle, or if all are taken
 */
async function claimFirst(userId: string, handles: string[], trx: Transaction) {
  const uuid = trx.dialect.name === 'postgres' ? 'uuid' : 'text'
  const candidate =
    'SELECT CAST(? AS int) AS position, CAST(? AS text) AS handle, CAST(? AS text) AS hash'
  const rows = await selectRows<{ hash: string }>(
    trx,
    `INSERT INTO handles (hash, user_id)
     SELECT hash, CAST(? AS ${uuid}) FROM (${handles.map(() => candidate).join(' UNION ALL ')}) AS c
     WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.handle = c.handle)
       AND NOT EXISTS (SELECT 1 FROM handles AS known WHERE known.hash = c.hash)
     ORDER BY position LIMIT 1
     ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    [userId, ...handles.flatMap((handle, at) => [at, handle, hashHandle(handle)])]
  )
  return handles.find((handle) => hashHandle(handle) === rows[0]?.hash) ?? null
}

/** A handle that the user had before is still their own. @throws E_HANDLE_TAKEN */
export async function claimExactly({ userId, handle }: HandleClaim, trx: Transaction) {
  const uuid = trx.dialect.name === 'postgres' ? 'uuid' : 'text'
  const rows = await selectRows(
    trx,
    `INSERT INTO handles (hash, user_id) SELECT CAST(:hash AS text), CAST(:userId AS ${uuid})
     WHERE NOT EXISTS (SELECT 1 FROM users WHERE handle = :handle AND id <> :userId)
     ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id
       WHERE handles.user_id = excluded.user_id
     RETURNING hash`,
    { hash: hashHandle(handle), userId, handle }
  )
  if (rows.length === 0) throw new E_HANDLE_TAKEN()
}
