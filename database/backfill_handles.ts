import settings from '#config/handles'
import { handleOf, hashHandle, isHandle, isOneOf, numbered } from './handle.ts'
import { handleBatch } from './handle_batch.ts'
import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/* For migration 0045. Batches keep a million users out of the memory. */

const BATCH_SIZE = 2_000

interface Row {
  id: string
  kind: string
  email: string
  username: string
  role: string
  created_at: string | number
}

type Handles = { id: string; handle: string }[]

/** Plain names first, as they are: applications know their users by them already. */
export async function keepPlainUsernames(client: QueryClientContract) {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const users = selectUsers(client).where('id', '>', after)
    const rows: Row[] = await users.orderBy('id').limit(BATCH_SIZE)
    const plain = rows.filter((row) => isHandle(row.username) && !mustBeNumbered(row.username, row))
    const repeated = await findRepeated(client, plain)
    const unique = plain.filter(({ username }) => !repeated.has(username))
    await write(
      client,
      unique.map(({ id, username }) => ({ id, handle: username }))
    )
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.id
  }
}

/** The oldest user first. */
export async function makeOtherHandles(client: QueryClientContract) {
  const numbers = new Map<string, number>()
  let after: Row | undefined
  for (;;) {
    const users = selectUsers(client).whereNull('handle').orderBy('created_at').orderBy('id')
    if (after) void users.whereRaw('(created_at, id) > (?, ?)', [after.created_at, after.id])
    const rows: Row[] = await users.limit(BATCH_SIZE)
    await write(client, await chooseFree(client, rows, numbers))
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)
  }
}

function selectUsers(client: QueryClientContract) {
  return client.from('users').select('id', 'kind', 'email', 'username', 'role', 'created_at')
}

/** Users may have signed up with the name of a role; administrators and service accounts did not. */
function mustBeNumbered(handle: string, { role, kind }: Row) {
  return role !== 'Admin' && kind !== 'service' && isOneOf(settings.reserved, handle)
}

async function findRepeated(client: QueryClientContract, rows: Row[]) {
  const usernames = [...new Set(rows.map(({ username }) => username))]
  const found: Row[] = await client
    .from('users')
    .whereIn('username', usernames)
    .groupBy('username')
    .havingRaw('count(*) > 1')
    .select('username')
  return new Set(found.map(({ username }) => username))
}

/** @param numbers the next number of each handle that was taken */
async function chooseFree(
  client: QueryClientContract,
  rows: Row[],
  numbers: Map<string, number>
): Promise<Handles> {
  const chosen = new Map<string, string>()
  const next = (wanted: string) => {
    const number = numbers.get(wanted) ?? 2
    numbers.set(wanted, number + 1)
    return numbered(wanted, number)
  }
  let open = rows.map((row) => ({ row, wanted: handleOf(row.username, addressOf(row)) }))
  while (open.length > 0) {
    const tried = open.map(({ row, wanted }) => {
      const isPlain = !numbers.has(wanted) && !mustBeNumbered(wanted, row)
      return { row, wanted, handle: isPlain ? wanted : next(wanted) }
    })
    const taken = await findTaken(client, tried)
    open = tried.filter(({ row, wanted, handle }) => {
      const isFree = !taken.has(handle) && !chosen.has(handle)
      if (isFree) chosen.set(handle, row.id)
      else if (!numbers.has(wanted)) numbers.set(wanted, 2)
      return !isFree
    })
  }
  return [...chosen].map(([handle, id]) => ({ id, handle }))
}

function addressOf({ kind, email }: Row) {
  return kind === 'service' ? null : email
}

/** By the table of hashes: an index of a column that is being filled may not be usable yet. */
async function findTaken(client: QueryClientContract, tried: { handle: string }[]) {
  const handles = new Map(tried.map(({ handle }) => [hashHandle(handle), handle]))
  const rows = await client
    .from('handles')
    .whereIn('hash', [...handles.keys()])
    .select('hash')
  return new Set(rows.map(({ hash }) => handles.get(hash)!))
}

async function write(client: QueryClientContract, handles: Handles) {
  if (handles.length === 0) return
  const { table, json } = handleBatch(client, handles)
  const update = `UPDATE users SET handle = batch.handle FROM ${table} WHERE users.id = batch.id`
  await selectRows(client, update, [json])
  const insert = `INSERT INTO handles (hash, user_id)
    SELECT batch.hash, batch.id FROM ${table} ORDER BY batch.hash`
  await selectRows(client, insert, [json])
}
