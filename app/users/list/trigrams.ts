import { yieldToEventLoop } from '#database/batches'

/* Common trigrams slow the index down: in `person123456` the first half may match every user. */

/** A trigram is rare if at most one in this many users has it. */
const RARE = 50

/** Long names of this many users take some milliseconds, during which no request proceeds. */
const BATCH_SIZE = 50

export interface Sample {
  counts: Map<string, number>
  size: number
  takenAt: number
}

export interface Names {
  email: string
  username: string
  nickname: string | null
  handle: string
}

export function trigramsOf(text: string) {
  const characters = [...text]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
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

/** @returns the number of users that have each trigram */
export async function countTrigrams(users: Names[]) {
  const counts = new Map<string, number>()
  for (const [at, names] of users.entries()) {
    if (at > 0 && at % BATCH_SIZE === 0) await yieldToEventLoop()
    for (const each of distinctTrigrams(names)) counts.set(each, (counts.get(each) ?? 0) + 1)
  }
  return counts
}

function distinctTrigrams({ email, username, nickname, handle }: Names) {
  const trigrams = [email, username, nickname ?? '', handle].flatMap(trigramsOf)
  return new Set(trigrams.map((each) => each.toLowerCase()))
}
