import passwords from '#config/passwords'
import { Argon2id } from './argon2id.ts'

/** Hashes a second that this machine computes with all its cores, measured for so long. */
export async function measureHashRate(
  parameters: typeof passwords.argon2 = passwords.argon2,
  durationMs = 300
) {
  const hasher = new Argon2id(parameters)
  const startedAt = performance.now()
  let count = 0
  const work = async () => {
    while (performance.now() - startedAt < durationMs) {
      await hasher.make('what a password could be')
      count++
    }
  }
  await Promise.all(Array.from({ length: passwords.hashConcurrency }, work))
  return (count * 1_000) / (performance.now() - startedAt)
}
