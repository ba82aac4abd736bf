import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#audit/actor'
import { assertStoreAnswers, emptyStore } from '#auth/store/empty_store'
import type { TrailVerdict } from '#audit/chain/verification'
import { readArchive, type Archive } from '#backup/archive/read_archive'
import { UnfinishedRestore } from '#backup/errors'
import { Tally, type BackupCounts } from '#backup/tally'
import { assertMigrated } from '#database/migrate'
import { batchesOf, readKeyrings, type Batch, type Files } from './batches.ts'
import { changeRows, type RowChanges } from './changed_rows.ts'
import { allowAnyTime, emptyTables } from './empty_tables.ts'
import { explain, Loader } from './load_rows.ts'
import { sweepStages, throughOlderSchema } from './older_schema.ts'
import {
  assertMayReplace,
  isOlder,
  planKeyrings,
  refuseOtherFormat,
  type KeyringPlan,
} from './plan.ts'
import { writeFiles } from './restored_files.ts'
import { finishRestore } from './finish_restore.ts'
import { abandonRestore, assertNoServer, beginRestore, endRestore } from './unfinished.ts'
import { keepKeyrings, useKeyrings } from './use_keyrings.ts'
import type { Manifest } from '#backup/archive/manifest'
import type { Decryption } from '#backup/archive/age'
import type { Transaction } from '#database/transaction'

export interface RestoreOptions extends Decryption {
  actor: Actor
  /** Whether existing users may be replaced. */
  replace?: boolean
  /** Reads all of the archive, and changes nothing. */
  dryRun?: boolean
  expireKeys?: boolean
  /** Ids of users who were erased after the backup was made. */
  deleted?: string[]
  onProgress?: (count: number, what: 'rows' | 'events') => void
  /** An aborted restore changes nothing. */
  signal?: AbortSignal
}

export interface RestoredBackup {
  manifest: Manifest
  counts: BackupCounts
  keyrings: KeyringPlan
  /** Null after a dry run. */
  verdict: TrailVerdict | null
  logo: string | null
}

/**
 * Replaces everything here by an archive, in one transaction. A server that starts before the end
 * of the restore stops with a message.
 * @throws UnusableBackup, RefusedRestore, UnfinishedRestore, and errors of the database or the file
 * system
 */
export async function restoreBackup(
  path: string,
  options: RestoreOptions
): Promise<RestoredBackup> {
  const archive = await readArchive(path, options).catch(refuseOtherFormat)
  const { manifest } = archive
  await assertMigrated(app)
  const isFromOlder = await isOlder(manifest)
  const keyrings = planKeyrings(manifest, await readKeyrings(archive))
  await assertMayReplace(options)
  await useKeyrings(keyrings.adopted)
  const restore = new Restore(archive, { ...options, isFromOlder, keyrings })
  if (options.dryRun) return restore.readOnly()
  const run = await beginRestore(path)
  sweepStages()
  try {
    const restored = await restore.replace()
    await endRestore(run)
    return restored
  } catch (error) {
    if (restore.isCommitted) throw new UnfinishedRestore(error)
    await abandonRestore(run)
    throw error
  }
}

interface Plan extends RestoreOptions {
  isFromOlder: boolean
  keyrings: KeyringPlan
}

class Restore {
  /** A later failure leaves new rows beside old files, which only the same restore repairs. */
  isCommitted = false
  #files: Files = new Map()
  #tally = new Tally()
  #rows = 0

  constructor(
    readonly archive: Archive,
    readonly plan: Plan
  ) {}

  async readOnly(): Promise<RestoredBackup> {
    await assertNoServer()
    for await (const batch of this.#batches()) this.#count(batch)
    return { ...this.#result(), verdict: null, logo: null }
  }

  async replace(): Promise<RestoredBackup> {
    await assertStoreAnswers()
    const transaction = db.transaction((trx) => this.#replaceWithin(trx))
    const verdict = await transaction.catch((error) => explain(error, 'this backup'))
    this.isCommitted = true
    keepKeyrings(this.plan.keyrings.adopted)
    const logo = writeFiles(this.#files)
    await emptyStore()
    return { ...this.#result(), verdict, logo }
  }

  async #replaceWithin(trx: Transaction) {
    await allowAnyTime(trx)
    await emptyTables(trx)
    const loader = new Loader(trx)
    for await (const batch of this.#batches()) {
      this.#count(batch)
      await loader.load(batch.table, batch.rows)
    }
    await assertNoServer(trx)
    const { plan, archive } = this
    return finishRestore(trx, {
      manifest: archive.manifest,
      counts: this.#tally.counts,
      actor: plan.actor,
      keepsTrail: plan.keyrings.keepsTrail,
      expireKeys: plan.expireKeys ?? false,
      deleted: plan.deleted ?? [],
      onVerified: (events) => plan.onProgress?.(events, 'events'),
    })
  }

  async *#batches(): AsyncGenerator<Batch> {
    const { manifest, entries } = this.archive
    const { isFromOlder, keyrings, expireKeys = false } = this.plan
    const { isEncrypted } = manifest
    const changes: RowChanges = { isEncrypted, expireKeys, keepsTrail: keyrings.keepsTrail }
    const stored = batchesOf(entries, this.#files)
    const batches = isFromOlder ? throughOlderSchema(stored, manifest.migrations) : stored
    for await (const batch of batches) {
      this.plan.signal?.throwIfAborted()
      const changed = changeRows(batch, changes)
      if (changed) yield changed
    }
  }

  #count({ table, rows }: Batch) {
    this.#tally.add(table, rows)
    this.#rows += rows.length
    this.plan.onProgress?.(this.#rows, 'rows')
  }

  #result() {
    const { manifest } = this.archive
    return { manifest, counts: this.#tally.counts, keyrings: this.plan.keyrings }
  }
}
