import { buffer } from 'node:stream/consumers'
import limits from '#config/limits'
import { UnusableBackup } from '#backup/errors'
import { KEYRINGS, tableOf } from '#backup/archive/manifest'
import { areTexts } from '#backup/archive/parse_manifest'
import { rowsOf, type Row } from '#backup/archive/entry_rows'
import { keyId } from '#auth/tokens/keyring'
import { CARRIED_KEYRINGS, type Keyrings } from '#backup/keyrings'
import type { Archive, ReadEntry } from '#backup/archive/read_archive'

/** Some rows of a table; tables come one after the other. */
export interface Batch {
  table: string
  rows: Row[]
}

/** Contents by the name of their entry. */
export type Files = Map<string, Buffer>

/** @param files receives the entries that are no tables */
export async function* batchesOf(entries: Archive['entries'], files: Files): AsyncGenerator<Batch> {
  for await (const entry of entries) {
    const table = tableOf(entry.name)
    if (table === null) files.set(entry.name, await fileOf(entry, files))
    else yield* tableBatches(table, entry)
  }
}

async function* tableBatches(table: string, entry: ReadEntry) {
  for await (const rows of rowsOf(entry)) yield { table, rows }
}

async function fileOf(entry: ReadEntry, files: Files) {
  // The keyrings were taken before, and belong in no folder.
  if (entry.name === KEYRINGS) throw invalidKeyrings()
  const { backupFileBytes, backupFiles } = limits
  if (entry.bytes <= backupFileBytes && files.size < backupFiles) return buffer(entry.content)
  throw new UnusableBackup(`The backup has a file that is too large: ${entry.name}.`)
}

/** Reads the keyrings, which come first; null without encryption. @throws UnusableBackup */
export async function readKeyrings({ manifest, entries }: Archive): Promise<Keyrings | null> {
  if (!manifest.isEncrypted) return null
  const { value } = await entries.next()
  const entry = value as ReadEntry | undefined
  if (entry?.name !== KEYRINGS || entry.bytes > limits.backupFileBytes) throw invalidKeyrings()
  const content = await buffer(entry.content)
  const keyrings = parse(content.toString())
  for (const name of CARRIED_KEYRINGS) {
    const ids = keyrings[name]?.map(keyId).join()
    if (ids !== manifest.keyrings[name].join()) throw invalidKeyrings()
  }
  return keyrings
}

function parse(text: string): Keyrings {
  try {
    const keyrings = JSON.parse(text)
    if (CARRIED_KEYRINGS.every((name) => areTexts(keyrings[name]))) return keyrings
  } catch {}
  throw invalidKeyrings()
}

function invalidKeyrings() {
  return new UnusableBackup('The keyrings of this backup are not what its manifest says.')
}
