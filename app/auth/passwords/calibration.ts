import passwords from '#config/passwords'
import { Argon2id } from './argon2id.ts'

/** Measures how many hashes a second this machine computes with all its cores. */
export async function measureHashRate(
  parameters: typeof passwords.argon2 = passwords.argon2,
  durationMs = 300
) {
  const hasher = new Argon2id(parameters)
  const startedAt = performance.now()
  let count = 0
  const computeHashes = async () => {
    while (performance.now() - startedAt < durationMs) {
      await hasher.make('what a password could be')
      count++
    }
  }
  await Promise.all(Array.from({ length: passwords.hashConcurrency }, computeHashes))
  return (count * 1_000) / (performance.now() - startedAt)
}
