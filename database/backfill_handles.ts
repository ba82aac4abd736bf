import settings from '#config/handles'
import { handleOf, hashHandle, isHandle, isOneOf, numbered } from './handle.ts'
import { handleBatch } from './handle_batch.ts'
import { selectRows } from './select_rows.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/* Migration 0045 uses this file. Batches keep a million users out of memory. */

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

/** Keeps a plain and unique username as the handle, because applications already know it. */
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

/** Makes a handle for every other user, starting with the oldest user. */
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

/**
 * Numbers the users who share a name, in the order of `rows`.
 * @param numbers the next number of each name, where 1 means the name without a number
 */
async function chooseFree(client: QueryClientContract, rows: Row[], numbers: Map<string, number>) {
  const chosen = new Map<string, string>()
  let open = rows.map((row) => ({ id: row.id, ...nameOf(row) }))
  while (open.length > 0) {
    const groups = [...Map.groupBy(open, ({ key }) => key)].map(([key, users]) => {
      const [{ wanted, first }] = users
      const from = numbers.get(key) ?? first
      const handles = users.map((_, at) => withNumber(wanted, from + at))
      numbers.set(key, from + users.length)
      return { users, handles }
    })
    const taken = await findTaken(
      client,
      groups.flatMap(({ handles }) => handles)
    )
    open = groups.flatMap(({ users, handles }) => {
      const free = handles.filter((handle) => !taken.has(handle) && !chosen.has(handle))
      for (const [at, handle] of free.entries()) chosen.set(handle, users[at].id)
      return users.slice(free.length)
    })
  }
  return [...chosen].map(([handle, id]) => ({ id, handle }))
}

function nameOf(row: Row) {
  const wanted = handleOf(row.username, addressOf(row))
  const first = mustBeNumbered(wanted, row) ? 2 : 1
  return { wanted, first, key: `${first} ${wanted}` }
}

function withNumber(handle: string, number: number) {
  return number === 1 ? handle : numbered(handle, number)
}

function addressOf({ kind, email }: Row) {
  return kind === 'service' ? null : email
}

/** Reads the table of hashes: an index of a column that is being filled may not be usable yet. */
async function findTaken(client: QueryClientContract, handles: string[]) {
  const byHash = new Map(handles.map((handle) => [hashHandle(handle), handle]))
  const rows = await client
    .from('handles')
    .whereIn('hash', [...byHash.keys()])
    .select('hash')
  return new Set(rows.map(({ hash }) => byHash.get(hash)!))
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
