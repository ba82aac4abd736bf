import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { RefusedRestore } from '#backup/errors'
import { liveProcesses } from '#processes/live_processes'
import { lockProcesses } from '#processes/process_rows'
import type { Transaction } from '#database/transaction'

// This file owns `unfinished_restores`. Its row exists from the beginning of a restore to its end,
// so that no server starts on data that is being replaced.

const TABLE = 'unfinished_restores'

export interface UnfinishedRestore {
  file: string
}

export async function findUnfinished(): Promise<UnfinishedRestore | null> {
  return db.from(TABLE).select('file').first()
}

export interface RestoreRun {
  id: string
  /** An earlier restore was killed, and its work is still to be done. */
  isRepeated: boolean
}

/** A starting server waits for the lock, and then finds the row. @throws RefusedRestore */
export async function beginRestore(path: string): Promise<RestoreRun> {
  const id = randomUUID()
  return db.transaction(async (trx) => {
    await lockProcesses(trx)
    await assertNoServer(trx)
    const isRepeated = Boolean(await trx.from(TABLE).first())
    const row = { id: 1, run_id: id, file: basename(path).slice(0, 255), started_at: Date.now() }
    await trx.knexQuery().insert(row).into(TABLE).onConflict('id').merge()
    return { id, isRepeated }
  })
}

export async function assertNoServer(trx?: Transaction) {
  const [live] = await liveProcesses(trx ?? db.connection())
  if (!live) return
  const message = `A server runs on this installation, on ${live.host}. Stop it first; one that was killed counts for 30 seconds.`
  throw new RefusedRestore(message)
}

/** Another restore may have begun since. */
export async function endRestore({ id }: RestoreRun) {
  await db.from(TABLE).where('run_id', id).delete()
}

/** Ends a restore that changed nothing; the row of an earlier killed restore stays. */
export async function abandonRestore(run: RestoreRun) {
  if (!run.isRepeated) await endRestore(run)
}

/** @throws E_RESTORE_UNFINISHED, which ends a start with its message */
export async function assertNoUnfinishedRestore() {
  const unfinished = await findUnfinished()
  if (!unfinished) return
  const message = `A restore of ${unfinished.file} runs here, or was killed. Let it end, or run it again: npm run ace -- backup:restore ${unfinished.file} --yes`
  throw Object.assign(new Error(message), { code: 'E_RESTORE_UNFINISHED' })
}
