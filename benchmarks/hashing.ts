import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from './peers/argon2.js'

export interface RawHashing {
  /** Hashes in a second: the limit of every login rate. */
  rate: number
  /** Processor time of one hash, in microseconds. */
  cpuUs: number
}

/** Measures how many passwords the cores hash with no other work. */
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

/** Hashes in a separate process, with as many threads as a server has. */
export async function hashAlone(seconds: number): Promise<RawHashing> {
  const module = import.meta.filename
  const code = `const { rawHashing } = await import(${JSON.stringify(module)}); console.log(JSON.stringify(await rawHashing(${seconds})))`
  const args = ['--import=@poppinss/ts-exec', '--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (!stdout) throw new Error(`Nothing was hashed.\n${stderr}`)
  return JSON.parse(stdout)
}
