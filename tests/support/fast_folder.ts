import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'

/** Several times what a run of a suite writes. Containers have 64 MB there, which browsers use. */
const ENOUGH_BYTES = 512 * 1024 ** 2

/** Returns a folder for temporary files, in memory if there is room. */
export function fastFolder() {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir()
}
