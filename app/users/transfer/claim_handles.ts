import { hashHandle } from '#database/handle'
import { handleBatch } from '#database/handle_batch'
import { selectRows } from '#database/select_rows'
import { ADMIN_ROLE } from '#models/user'
import { claimHandle, isReserved } from '#users/handles/claim_handle'
import type { UsableRow } from './insert_users.ts'
import type { Transaction } from '#database/transaction'

/** @returns the rows with the handles that they get: a taken handle gets a number */
export async function claimHandles(users: UsableRow[], trx: Transaction): Promise<UsableRow[]> {
  const firsts = new Map(
    users
      .filter(mayHave)
      .map(({ user }): [string, string] => [user.handle, user.id])
      .toReversed()
  )
  const claimed = await claimPlain(firsts, trx)
  const rows: UsableRow[] = []
  for (const row of users) {
    const { id: userId, handle } = row.user
    const isClaimed = firsts.get(handle) === userId && claimed.has(hashHandle(handle))
    const got = isClaimed ? handle : await claimHandle({ userId, handle }, mayHave(row), trx)
    rows.push({ ...row, user: { ...row.user, handle: got } })
  }
  return rows
}

/** Only administrators may have the name of a role, unless the file names it as the handle. */
function mayHave({ user, hasHandle }: UsableRow) {
  return hasHandle || user.role === ADMIN_ROLE || !isReserved(user.handle)
}

/** Claims in one order, so that two imports do not wait for each other. */
async function claimPlain(handles: Map<string, string>, trx: Transaction) {
  if (handles.size === 0) return new Set<string>()
  const wanted = [...handles].map(([handle, id]) => ({ id, handle }))
  const { table, json } = handleBatch(trx, wanted)
  const rows = await selectRows<{ hash: string }>(
    trx,
    `INSERT INTO handles (hash, user_id) SELECT batch.hash, batch.id FROM ${table}
     WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.handle = batch.handle)
     ORDER BY batch.hash ON CONFLICT (hash) DO NOTHING RETURNING hash`,
    [json]
  )
  return new Set(rows.map(({ hash }) => hash))
}

/** For rows whose address a registration has just taken, or whose id an earlier row has. */
export async function releaseHandles(rows: UsableRow[], added: UsableRow[], trx: Transaction) {
  if (rows.length === 0) return
  const kept = new Set(added.map(({ user }) => user.handle))
  const handles = rows.map(({ user }) => user.handle).filter((handle) => !kept.has(handle))
  await trx.from('handles').whereIn('hash', handles.map(hashHandle)).delete()
}
