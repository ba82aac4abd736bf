import { randomInt } from 'node:crypto'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { countByRole } from './user_query.ts'

/* Common trigrams slow the index down: in `person123456` the first half may match every user. */

const SAMPLE_SIZE = 1_000
const CACHE_MS = 600_000

/** A trigram is rare if at most one of so many users has it. */
const RARE = 50

export interface Sample {
  counts: Map<string, number>
  size: number
  takenAt: number
}

let sample: Sample | null = null

export function trigramsOf(text: string) {
  const characters = [...text]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}

export async function rarePart(text: string) {
  return rarePartIn(await recentSample(), text)
}

/** @returns the longest part whose trigrams are all rare; the whole text if all or none are */
export function rarePartIn({ counts, size }: Sample, text: string): string {
  const characters = [...text]
  let [best, start] = [{ from: 0, length: 0 }, 0]
  const rare = trigramsOf(text).map((each) => (counts.get(each.toLowerCase()) ?? 0) * RARE <= size)
  for (const [at, isRare] of rare.entries()) {
    if (!isRare) start = at + 1
    else if (at + 1 - start > best.length) best = { from: start, length: at + 1 - start }
  }
  if (best.length === 0) return text
  return characters.slice(best.from, best.from + best.length + 2).join('')
}

async function recentSample(): Promise<Sample> {
  if (!sample || Date.now() - sample.takenAt > CACHE_MS) sample = await takeSample()
  return sample
}

async function takeSample(): Promise<Sample> {
  const isServer = replicaOrPrimary().dialect.name === 'postgres'
  const rows = await (isServer ? sampleOfPostgres() : sampleOfSqlite())
  const counts = new Map<string, number>()
  for (const each of rows.flatMap(distinctTrigrams)) counts.set(each, (counts.get(each) ?? 0) + 1)
  return { counts, size: rows.length, takenAt: Date.now() }
}

interface Names {
  email: string
  username: string
  nickname: string | null
  handle: string
}

function distinctTrigrams({ email, username, nickname, handle }: Names) {
  const trigrams = [email, username, nickname ?? '', handle].flatMap(trigramsOf)
  return [...new Set(trigrams.map((each) => each.toLowerCase()))]
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
