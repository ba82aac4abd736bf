import { availableParallelism } from 'node:os'
import { hashPassword } from './peers/argon2.js'

export interface RawHashing {
  /** Hashes in a second: the limit of every login rate. */
  rate: number
  /** Processor time of one hash, in microseconds. */
  cpuUs: number
}

/** How many passwords so many cores hash with no other work. */
export async function rawHashing(
  seconds: number,
  cores = availableParallelism()
): Promise<RawHashing> {
  const until = performance.now() + seconds * 1_000
  let hashes = 0
  const startedAt = performance.now()
  const usedBefore = process.cpuUsage()
  const work = async () => {
    while (performance.now() < until) {
      await hashPassword('Correct-h0rse!')
      hashes++
    }
  }
  await Promise.all(Array.from({ length: cores }, work))
  const { user, system } = process.cpuUsage(usedBefore)
  const rate = hashes / ((performance.now() - startedAt) / 1_000)
  return { rate, cpuUs: (user + system) / hashes }
}
