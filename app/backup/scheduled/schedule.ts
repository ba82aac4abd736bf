import logger from '@adonisjs/core/services/logger'
import settings from '#config/backup'

let timer: NodeJS.Timeout | null = null
let running: Promise<unknown> | null = null
const stop = new AbortController()

/** Every process looks for a due backup once a minute; a thread writes the archive. */
export function startScheduledBackups() {
  if (settings.everyMs === null) return
  timer = setInterval(look, settings.lookMs).unref()
  look()
}

function look() {
  running ??= makeOne().finally(() => (running = null))
}

async function makeOne() {
  try {
    const { makeDueBackup } = await import('./make_due.ts')
    const { createBackup } = await import('#backup/create')
    await makeDueBackup(createBackup, stop.signal)
  } catch (error) {
    logger.warn({ err: error }, 'whether a backup is due could not be found out')
  }
}

/** Ends a backup that is being made, which then leaves no file. */
export async function stopScheduledBackups() {
  if (timer) clearInterval(timer)
  stop.abort(new Error('The process ends.'))
  await running
}
