import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'
import { oneAtATime } from '#database/one_at_a_time'
import { truncateLog } from '#database/truncate_log'

/* Deleting a user deletes the key; batches empty the lookup hashes later, even after a crash. */

/** A UUID v7 begins with its time; a month is widened by a day, because a clock may be set. */
const DAY_MS = 86_400_000

interface Erasure {
  key_id: string
  user_id: string | null
  month: string | null
}

export const finishErasures = oneAtATime(async () => {
  const erasures: Erasure[] = await db.from('audit_erasures').limit(1_000)
  for (const erasure of erasures) await emptyLookups(erasure)
  // While a reader keeps the log from being emptied, the erasure stays for the next pruning.
  if (erasures.length === 0 || !(await truncateLog(db.connection()))) return 0
  const ids = erasures.map((erasure) => erasure.key_id)
  return Number(await db.from('audit_erasures').whereIn('key_id', ids).delete())
})

async function emptyLookups(erasure: Erasure) {
  const ranges = erasure.user_id
    ? [{ target_id: erasure.user_id }, { actor_id: erasure.user_id }]
    : [{}]
  for (const about of ranges) {
    let [after, end] = boundsOf(erasure)
    while (after) {
      after = await emptyBatch({ about, after, end, keyId: erasure.key_id })
      await yieldToEventLoop()
    }
  }
}

function boundsOf({ month }: Erasure): [string | null, string] {
  if (!month) return [idAt(0), idAt(2 ** 48 - 1)]
  const first = new Date(`${month}-01T00:00:00Z`)
  const next = new Date(first)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return [idAt(first.getTime() - DAY_MS), idAt(next.getTime() + DAY_MS)]
}

function idAt(time: number) {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

interface Batch {
  about: object
  after: string
  end: string
  keyId: string
}

async function emptyBatch({ about, after, end, keyId }: Batch): Promise<string | null> {
  const rows = await db
    .from('audit_events')
    .where(about)
    .where('id', '>', after)
    .where('id', '<', end)
    .orderBy('id')
    .limit(BATCH_SIZE)
    .select('id', 'origin_key', 'personal_key')
  const ids = rows
    .filter((row) => row.origin_key === keyId || row.personal_key === keyId)
    .map((row) => row.id)
  if (ids.length > 0) {
    await db.from('audit_events').whereIn('id', ids).update({ ip_hash: null, email_hash: null })
  }
  return rows.length === BATCH_SIZE ? rows.at(-1).id : null
}
