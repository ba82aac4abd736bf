import { randomInt } from 'node:crypto'
import { oneAtATime } from '#database/one_at_a_time'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { countTrigrams, rarePartIn, type Names, type Sample } from './trigrams.ts'
import { countByRole } from './user_query.ts'

const SAMPLE_SIZE = 1_000
const CACHE_MS = 600_000

export async function rarePart(text: string) {
  return rarePartIn(await recentSample(), text)
}

const recentSample = cachedSample(takeSample)

/** Concurrent searches share a sample, because taking it is slower than a search. */
export function cachedSample(take: () => Promise<Sample>) {
  let sample: Sample | null = null
  const isRecent = () => sample !== null && Date.now() - sample.takenAt <= CACHE_MS
  const renew = oneAtATime(async () => {
    if (!isRecent()) sample = await take()
    return sample!
  })
  return () => (isRecent() ? Promise.resolve(sample!) : renew())
}

async function takeSample(): Promise<Sample> {
  const isServer = replicaOrPrimary().dialect.name === 'postgres'
  const rows = await (isServer ? sampleOfPostgres() : sampleOfSqlite())
  return { counts: await countTrigrams(rows), size: rows.length, takenAt: Date.now() }
}

async function sampleOfPostgres() {
  const percentage = Math.min(100, (100 * SAMPLE_SIZE) / Math.max(1, await countByRole()))
  const sql = 'SELECT email, username, nickname, handle FROM users TABLESAMPLE SYSTEM (?)'
  return selectRows<Names>(replicaOrPrimary(), sql, [percentage])
}

/** Keys of deleted users find nothing, so the sample may be smaller. */
async function sampleOfSqlite(): Promise<Names[]> {
  const client = replicaOrPrimary()
  const [{ last }] = await client.from('user_names_keys').max('key as last')
  const keys = Array.from({ length: SAMPLE_SIZE }, () => randomInt(Number(last ?? 0) + 1))
  const sampled = client.from('user_names_keys').whereIn('key', keys).select('user_id')
  const names = client.from('users').whereIn('id', sampled)
  return names.select('email', 'username', 'nickname', 'handle')
}
