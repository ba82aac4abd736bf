import passwords from '#config/passwords'
import { Argon2id } from './argon2id.ts'

/** @returns how many hashes a second this machine computes with all its cores */
export async function measureHashRate(
  parameters: typeof passwords.argon2 = passwords.argon2,
  durationMs = 300
) {
  const hasher = new Argon2id(parameters)
  const startedAt = performance.now()
  const end = startedAt + durationMs
  const lanes = Array.from({ length: passwords.hashConcurrency }, () => hashUntil(end, hasher))
  const counts = await Promise.all(lanes)
  const count = counts.reduce((sum, each) => sum + each)
  return (count * 1_000) / (performance.now() - startedAt)
}

async function hashUntil(end: number, hasher: Argon2id) {
  let count = 0
  for (; performance.now() < end; count++) await hasher.make('what a password could be')
  return count
}
