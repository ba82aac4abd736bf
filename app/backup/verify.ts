import { buffer } from 'node:stream/consumers'
import { readArchive, type Archive, type ReadEntry } from './archive/read_archive.ts'
import { rowsOf } from './archive/entry_rows.ts'
import { tableOf, type Manifest } from './archive/manifest.ts'
import { Tally, type BackupCounts } from './tally.ts'
import type { Opening } from './archive/age.ts'

export interface VerifiedBackup {
  manifest: Manifest
  counts: BackupCounts
  rows: number
}

interface Options extends Opening {
  onProgress?: (rows: number) => void
}

/** Reads an archive to its end. @throws UnusableBackup, and what the file system says */
export async function verifyBackup(path: string, options: Options): Promise<VerifiedBackup> {
  return readToEnd(await readArchive(path, options), options.onProgress)
}

export async function readToEnd(
  { manifest, entries }: Archive,
  onProgress: Options['onProgress'] = () => {}
): Promise<VerifiedBackup> {
  const tally = new Tally()
  let rows = 0
  for await (const batch of rowsIn(entries)) {
    tally.add(batch.table, batch.rows)
    rows += batch.rows.length
    onProgress(rows)
  }
  return { manifest, counts: tally.counts, rows }
}

async function* rowsIn(entries: Archive['entries']) {
  for await (const entry of entries) yield* rowsOfTable(entry)
}

/** Files are read too, because their hash is compared at their end. */
async function* rowsOfTable(entry: ReadEntry) {
  const table = tableOf(entry.name)
  if (table === null) await buffer(entry.content)
  else for await (const rows of rowsOf(entry)) yield { table, rows }
}
