import { readArchive, type Archive, type ReadEntry } from './archive/read_archive.ts'
import { rowsOf } from './archive/entry_rows.ts'
import { tableOf, type Manifest } from './archive/manifest.ts'
import { Tally, type BackupCounts } from './tally.ts'
import type { Decryption } from './archive/age.ts'

export interface VerifiedBackup {
  manifest: Manifest
  counts: BackupCounts
}

interface Options extends Decryption {
  onProgress?: (rows: number) => void
}

/** Reads an archive to its end. @throws UnusableBackup, and errors of the file system */
export async function verifyBackup(path: string, options: Options): Promise<VerifiedBackup> {
  const { manifest, entries } = await readArchive(path, options)
  const tally = new Tally()
  let rows = 0
  for await (const batch of rowsIn(entries)) {
    tally.add(batch.table, batch.rows)
    rows += batch.rows.length
    options.onProgress?.(rows)
  }
  return { manifest, counts: tally.counts }
}

async function* rowsIn(entries: Archive['entries']) {
  for await (const entry of entries) yield* rowsOfTable(entry)
}

/** Files are read too, because their hash is compared at their end; none stays in memory. */
async function* rowsOfTable(entry: ReadEntry) {
  const table = tableOf(entry.name)
  if (table === null) for await (const chunk of entry.content) void chunk
  else for await (const rows of rowsOf(entry)) yield { table, rows }
}
