import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/backup'
import { isOutboundPaused } from '#backup/outbound_pause'
import { deleteOldFiles, newBackupFile, noteFile } from './files.ts'
import { reportFailure } from './report_failure.ts'
import { claimRun, endRun, releaseRun, renewRun } from './state.ts'

export type DueBackup = 'none' | 'made' | 'failed' | 'lost'

export type Make = (options: {
  output: string
  recipients: string[]
  signal: AbortSignal
}) => unknown

/**
 * Makes a due backup in one of all processes. If that process is killed, another takes over.
 * @param stop ends a backup that is being made, without a trace
 */
export async function makeDueBackup(make: Make, stop: AbortSignal): Promise<DueBackup> {
  const { everyMs } = settings
  const runId = randomUUID()
  if (everyMs === null || (await isOutboundPaused())) return 'none'
  if (!(await claimRun(runId, everyMs))) return 'none'
  try {
    return await run(runId, make, stop)
  } catch (error) {
    if (stop.aborted) await releaseRun(runId)
    else await reportFailure(runId, error)
    return stop.aborted ? 'none' : 'failed'
  }
}

async function run(runId: string, make: Make, stop: AbortSignal): Promise<DueBackup> {
  const startedAt = Date.now()
  const output = await newBackupFile(runId, startedAt)
  const lost = new AbortController()
  const timer = setInterval(() => renewOrStop(runId, lost), settings.renewMs).unref()
  try {
    const signal = AbortSignal.any([stop, lost.signal])
    await make({ output, recipients: settings.recipients, signal })
  } catch (error) {
    await rm(output, { force: true })
    if (lost.signal.aborted) return 'lost'
    throw error
  } finally {
    clearInterval(timer)
  }
  return finish(runId, output, startedAt)
}

/** An error of the database does not stop the backup, because it may last only a moment. */
function renewOrStop(runId: string, lost: AbortController) {
  renewRun(runId).then(
    (isOurs) => isOurs || lost.abort(new Error('Another process makes this backup.')),
    () => {}
  )
}

async function finish(runId: string, output: string, startedAt: number): Promise<DueBackup> {
  let isOurs = false
  try {
    isOurs = await db.transaction(async (trx) => {
      if (!(await endRun(trx, runId, startedAt))) return false
      await noteFile(trx, basename(output), startedAt)
      return true
    })
  } finally {
    // A file that no row names would never be deleted.
    if (!isOurs) await rm(output, { force: true })
  }
  if (isOurs) await deleteOldFiles()
  return isOurs ? 'made' : 'lost'
}
