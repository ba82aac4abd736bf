import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** Makes a folder, which is removed when this process ends, however its tests ended. */
export function temporaryFolder(name: string, parent = tmpdir()) {
  if (folders.length === 0) removeAtEnd()
  const folder = mkdtempSync(join(parent, `gatehouse-${name}-`))
  folders.push(folder)
  return folder
}

/** A signal would otherwise end the process without its `exit` event. */
function removeAtEnd() {
  process.once('exit', removeAll)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

function removeAll() {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // A server that a failed test left may still write to it.
    }
  }
}
