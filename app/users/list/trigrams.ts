import { randomInt } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { countByRole } from './count.ts'

/*
 | An index of trigrams is as quick as the rarest of those that it is asked for is rare,
 | and reads the common ones for nothing: in `person123456` the first half names everybody.
 | A sample of the users tells which part of a text is worth asking for.
 */

/** Users in a sample, about. */
const SAMPLE = 1_000
const REMEMBERED_MS = 600_000

/** A trigram that more than one user of so many has is common. */
const RARE = 50

export interface Sample {
  /** In how many of the sampled users each trigram is, in lower case. */
  counts: Map<string, number>
  size: number
  takenAt: number
}

let sample: Sample | null = null

/** Every three characters in a row; none for a text of less than three. */
export function trigramsOf(text: string) {
  const characters = [...text]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}

/** The part of a text that is worth asking an index for, by a sample of today's users. */
export async function rarePart(text: string) {
  return rarePartIn(await recentSample(), text)
}

/**
 * The longest part of a text whose trigrams are all rare; the whole text where there is
 * none, or nothing but such.
 */
export function rarePartIn({ counts, size }: Sample, text: string): string {
  const characters = [...text]
  let [best, start] = [{ from: 0, length: 0 }, 0]
  const rare = trigramsOf(text).map((each) => (counts.get(each.toLowerCase()) ?? 0) * RARE <= size)
  for (const [at, isRare] of [...rare, false].entries()) {
    if (!isRare) start = at + 1
    else if (at + 1 - start > best.length) best = { from: start, length: at + 1 - start }
  }
  if (best.length === 0) return text
  return characters.slice(best.from, best.from + best.length + 2).join('')
}

async function recentSample(): Promise<Sample> {
  if (!sample || Date.now() - sample.takenAt > REMEMBERED_MS) sample = await takeSample()
  return sample
}

async function takeSample(): Promise<Sample> {
  const rows = await (db.connection().dialect.name === 'postgres' ? somePages() : someKeys())
  const counts = new Map<string, number>()
  for (const { email, username, nickname } of rows) {
    const trigrams = [email, username, nickname ?? ''].flatMap(trigramsOf)
    for (const each of new Set(trigrams.map((one) => one.toLowerCase())))
      counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  return { counts, size: rows.length, takenAt: Date.now() }
}

interface Names {
  email: string
  username: string
  nickname: string | null
}

async function somePages() {
  const share = Math.min(100, (100 * SAMPLE) / Math.max(1, await countByRole()))
  const sql = 'SELECT email, username, nickname FROM users TABLESAMPLE SYSTEM (?)'
  return selectRows<Names>(replicaOrPrimary(), sql, [share])
}

/** The numbers that the index gives to users, some of which may be gone. */
async function someKeys() {
  const [{ last }] = await db.from('user_names_keys').max('key as last')
  const keys = Array.from({ length: SAMPLE }, () => randomInt(Number(last ?? 0) + 1))
  const named = db.from('user_names_keys').whereIn('key', keys)
  return db
    .from('users')
    .whereIn('id', named.select('user_id'))
    .select('email', 'username', 'nickname')
}
