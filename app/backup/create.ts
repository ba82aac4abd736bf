import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { SYSTEM, type Actor } from '#audit/actor'
import type { Manifest } from './archive/manifest.ts'
import type { Encryption } from './archive/age.ts'
import type { BackedUpFile } from './backed_up_files.ts'
import type { SnapshotSource } from './snapshot/snapshot.ts'

export interface BackupOptions extends Encryption {
  /** A path, or a stream that takes the bytes. */
  output: string | Writable
  actor?: Actor
  onProgress?: (progress: { read: number; written: number }) => void
  /** An aborted backup leaves nothing behind. */
  signal?: AbortSignal
}

export interface CreatedBackup {
  /** Null for a stream. */
  file: string | null
  bytes: number
  manifest: Manifest
}

export interface BackupTask {
  source: SnapshotSource
  /** Null if the worker sends the bytes to this thread. */
  output: string | null
  encryption: Encryption | null
  version: string
  keyrings: { ids: Manifest['keyrings']; secrets: Record<string, string[]> }
  files: BackedUpFile[]
}

export type WorkerMessage = {
  read?: number
  written?: number
  chunk?: Uint8Array
  manifest?: Manifest
  failure?: { message: string; code?: string }
}

const PROGRAM = new URL(`create_worker${extname(import.meta.filename)}`, import.meta.url)

/** Rows become garbage immediately: a larger space would only be filled before it is emptied. */
const RESOURCES = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

/**
 * Writes one archive of everything that `tables.ts` keeps. A file is written under another name and
 * renamed, so that its name always means a whole archive.
 * @throws errors of the database or the file system
 */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const { recordBackup } = await import('./record_backup.ts')
  const created = await (typeof options.output === 'string'
    ? createFile(options.output, options)
    : run(null, options))
  await recordBackup(created, options.actor ?? SYSTEM)
  return created
}

/** A file name has at most 255 bytes, so a draft keeps only the start of the name. */
const DRAFT_CHARACTERS = 60

async function createFile(file: string, options: BackupOptions) {
  const name = basename(file).slice(0, DRAFT_CHARACTERS)
  const draft = join(dirname(file), `.${name}.${randomUUID().slice(0, 8)}`)
  try {
    const created = await run(draft, options)
    await rename(draft, file)
    await syncFolder(dirname(file))
    return { ...created, file }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Makes the new name survive a power cut. */
async function syncFolder(path: string) {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

async function run(draft: string | null, options: BackupOptions): Promise<CreatedBackup> {
  options.signal?.throwIfAborted()
  const { taskOf } = await import('./create_task.ts')
  const workerData = await taskOf(draft, options)
  const worker = new Worker(PROGRAM, { workerData, env: {}, resourceLimits: RESOURCES })
  const abort = () => void worker.terminate()
  options.signal?.addEventListener('abort', abort)
  try {
    const manifest = await listen(worker, options)
    const { size: bytes } = draft ? await stat(draft) : { size: 0 }
    return { file: null, bytes, manifest }
  } finally {
    options.signal?.removeEventListener('abort', abort)
    await worker.terminate()
  }
}

function listen(worker: Worker, { output, onProgress, signal }: BackupOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<Manifest>()
  const counts = { read: 0, written: 0 }
  worker.on('error', reject)
  worker.on('exit', () => reject(signal?.reason ?? new Error('The backup ended early.')))
  worker.on('message', ({ read = 0, written = 0, chunk, manifest, failure }: WorkerMessage) => {
    if (failure) reject(Object.assign(new Error(failure.message), { code: failure.code }))
    if (manifest) resolve(manifest)
    if (chunk) pass(chunk, output as Writable).then(() => worker.postMessage('more'), reject)
    counts.read += read
    counts.written += written
    onProgress?.(counts)
  })
  return promise
}

async function pass(chunk: Uint8Array, output: Writable) {
  if (!output.write(chunk)) await once(output, 'drain')
}
