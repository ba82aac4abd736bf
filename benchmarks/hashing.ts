import { availableParallelism } from 'node:os'
import { hashPassword } from './peers/argon2.js'

/** How many passwords so many cores hash in a second with no other work: the limit of every login rate. */
export async function rawHashRate(seconds: number, cores = availableParallelism()) {
  const until = performance.now() + seconds * 1_000
  let hashes = 0
  const startedAt = performance.now()
  const work = async () => {
    while (performance.now() < until) {
      await hashPassword('Correct-h0rse!')
      hashes++
    }
  }
  await Promise.all(Array.from({ length: cores }, work))
  return hashes / ((performance.now() - startedAt) / 1_000)
}
