import { readFileSync } from 'node:fs'

/** Changes with each start of the machine; null if the system provides no boot id. */
export const bootId = readBootId()

function readBootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}
