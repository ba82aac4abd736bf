import limits from '#config/limits'
import { decompress } from '#backup/archive/decompress'
import { rowsOf } from '#backup/archive/entry_rows'
import { FORMAT, MANIFEST, tableEntry, type Manifest } from '#backup/archive/manifest'
import { readArchive } from '#backup/archive/read_archive'
import { UnusableBackup } from '#backup/errors'
import { batchesOf } from '#backup/restore/batches'
import { compressed, Folder, repack } from '../backup/archives.ts'
import type { LimitRow } from './limits.ts'

/* What an attacker can put into an archive that an operator opens. */

async function* each<Item>(...items: Item[]) {
  yield* items
}

/** Returns whether everything is read. */
async function isRead(reading: AsyncIterable<unknown>) {
  try {
    for await (const part of reading) void part
    return true
  } catch (error) {
    if (error instanceof UnusableBackup) return false
    throw error
  }
}

const EMPTY: Manifest = {
  format: FORMAT,
  product: 'gatehouse',
  version: '0.2.0',
  createdAt: new Date(0).toISOString(),
  isEncrypted: false,
  migrations: [],
  keyrings: { APP_KEY: [], MFA_ENCRYPTION_KEYS: [] },
  auditHead: null,
  entries: [],
}

async function* archiveWith(manifest: string) {
  const folder = new Folder()
  try {
    const content = await repack([{ header: { name: MANIFEST }, content: Buffer.from(manifest) }])
    const { entries } = await readArchive(folder.file('archive', content), {})
    yield* entries
  } finally {
    folder.remove()
  }
}

function entry(name: string, ...parts: string[]) {
  const chunks = parts.map((part) => Buffer.from(part))
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  return { name, bytes, rows: 1, sha256: '', content: each(...chunks) }
}

/** Unpacks this many bytes from an archive that claims to be one byte long. */
async function isUnpacked(bytes: number) {
  const packed = await compressed(Buffer.alloc(bytes))
  return isRead(decompress({ content: each(packed), bytesRead: () => 1 }))
}

export const BACKUP_LIMITS = {
  backupManifestBytes: {
    lowered: 1_000,
    isAllowed: (count) => isRead(archiveWith(JSON.stringify(EMPTY).padEnd(count))),
  },
  backupRowBytes: {
    lowered: 1_000,
    isAllowed: (count) => isRead(rowsOf(entry(tableEntry('users'), '{}'.padEnd(count), '\n'))),
  },
  backupFileBytes: {
    isAllowed: (count) => isRead(batchesOf(each(entry('logo.png', 'x'.repeat(count))), new Map())),
  },
  backupFiles: {
    isAllowed: (count) => {
      const names = Array.from({ length: count }, (_, at) => `texts/en/${at}.json`)
      return isRead(batchesOf(each(...names.map((name) => entry(name, '{}'))), new Map()))
    },
  },
  backupUnpackedTimes: {
    isAllowed: async (count) => {
      const { backupUnpackedBytes } = limits
      limits.backupUnpackedBytes = 0
      return isUnpacked(count).finally(() => {
        limits.backupUnpackedBytes = backupUnpackedBytes
      })
    },
  },
  backupUnpackedBytes: {
    lowered: 100_000,
    isAllowed: (count) => isUnpacked(count + limits.backupUnpackedTimes),
  },
} satisfies Record<string, LimitRow>
