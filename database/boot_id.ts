import { readFileSync } from 'node:fs'

/** Another one after each start of the machine; null where the system tells none. */
export const bootId = readBootId()

function readBootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || null
  } catch {
    return null
  }
}
