import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { KEPT_TABLES, type KeptTable } from './tables.ts'
import { FORMAT, KEYRINGS, MANIFEST, tableEntry, type Manifest } from './archive/manifest.ts'
import { writeArchive, type WrittenEntry } from './archive/write_archive.ts'
import { encoderOf, isOpenRow, keptColumns } from './snapshot/encode_rows.ts'
import { firstRow, openSnapshot, type Snapshot } from './snapshot/snapshot.ts'
import type { Chunks } from './archive/age.ts'
import type { BackupTask, WorkerMessage } from './create.ts'

/*
 | The worker of `create.ts`. It reads the snapshot twice, because a tar header contains the length
 | of an entry, and the manifest its hash. Nothing is written to disk in between, because that would
 | be secrets without encryption.
 */

const { source, output, encryption, version, keyrings, files } = workerData as BackupTask

const isEncrypted = encryption !== null

function tell(message: WorkerMessage) {
  parentPort!.postMessage(message)
}

interface Entry {
  name: string
  bytes: number
  rows?: number
  sha256: string
  content: () => Chunks
}

async function* linesOf(snapshot: Snapshot, [name, table]: [string, KeptTable]) {
  const columns = keptColumns(await snapshot.columnsOf(name), table)
  const encode = encoderOf(columns, table, isEncrypted)
  const isOpen = isOpenRow(table, isEncrypted)
  for await (const all of snapshot.rows({ table: name, columns, key: table.key })) {
    const rows = all.filter(isOpen)
    const lines = rows.map((row) => `${JSON.stringify(encode(row))}\n`)
    yield { rows: rows.length, chunk: Buffer.from(lines.join('')) }
  }
}

async function measureTable(snapshot: Snapshot, table: [string, KeptTable]): Promise<Entry> {
  const hash = createHash('sha256')
  let [bytes, count] = [0, 0]
  for await (const { rows, chunk } of linesOf(snapshot, table)) {
    hash.update(chunk)
    bytes += chunk.length
    count += rows
    tell({ read: rows })
  }
  const content = async function* () {
    for await (const { rows, chunk } of linesOf(snapshot, table)) {
      yield chunk
      tell({ written: rows })
    }
  }
  return { name: tableEntry(table[0]), bytes, rows: count, sha256: hash.digest('hex'), content }
}

function measureFile(name: string, text: Buffer): Entry {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const content = async function* () {
    yield text
  }
  return { name, bytes: text.length, sha256, content }
}

async function isThere(snapshot: Snapshot, [name, { isSecret }]: [string, KeptTable]) {
  if (isSecret && !isEncrypted) return false
  const columns = await snapshot.columnsOf(name)
  return columns.length > 0
}

async function measure(snapshot: Snapshot) {
  const entries: Entry[] = []
  if (isEncrypted) {
    entries.push(measureFile(KEYRINGS, Buffer.from(JSON.stringify(keyrings.secrets, null, 2))))
  }
  for (const table of KEPT_TABLES) {
    if (await isThere(snapshot, table)) entries.push(await measureTable(snapshot, table))
  }
  for (const { name, path } of files) entries.push(measureFile(name, await readFile(path)))
  return entries
}

async function migrationsOf(snapshot: Snapshot) {
  const columns = await snapshot.columnsOf('adonis_schema')
  const names: string[] = []
  for await (const rows of snapshot.rows({ table: 'adonis_schema', columns, key: ['id'] })) {
    names.push(...rows.map((row) => String(row.name).split('/').at(-1)!))
  }
  return names.sort()
}

async function manifestOf(snapshot: Snapshot, entries: Entry[]): Promise<Manifest> {
  const chain = await firstRow(snapshot, 'audit_chain')
  return {
    format: FORMAT,
    product: 'gatehouse',
    version,
    createdAt: new Date().toISOString(),
    isEncrypted,
    migrations: await migrationsOf(snapshot),
    keyrings: keyrings.ids,
    auditHead: chain && { sequence: Number(chain.sequence), hash: String(chain.hash) },
    entries: entries.map(({ content, ...entry }) => entry),
  }
}

async function* allOf(manifest: Manifest, entries: Entry[]): AsyncGenerator<WrittenEntry> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  for (const entry of [measureFile(MANIFEST, text), ...entries]) {
    yield { name: entry.name, bytes: entry.bytes, content: entry.content() }
  }
}

/** The main thread writes to a pipe, and says when it can take the next bytes. */
async function send(chunks: Chunks) {
  for await (const chunk of chunks) {
    tell({ chunk: Buffer.from(chunk) })
    await once(parentPort!, 'message')
  }
}

async function create() {
  const file = output === null ? null : await open(output, 'wx', 0o600)
  const snapshot = await openSnapshot(source)
  try {
    const entries = await measure(snapshot)
    const manifest = await manifestOf(snapshot, entries)
    const createdAt = new Date(manifest.createdAt)
    const archive = writeArchive(allOf(manifest, entries), { createdAt, encryption })
    if (file === null) await send(archive)
    else await pipeline(archive, file.createWriteStream({ flush: true }))
    tell({ manifest })
  } finally {
    // An interrupted read keeps the database busy; that error must not hide the cause.
    await snapshot.end().catch(() => {})
  }
}

create().then(
  () => parentPort!.close(),
  ({ message, code }) => tell({ failure: { message, code } })
)
