import { BaseCheck, Result } from '@adonisjs/core/health'
import settings from '#config/backup'
import { findBackupState, hasFailedLast, type BackupState } from '#backup/scheduled/state'
import type { HealthCheckResult } from '@adonisjs/core/types/health'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export class BackupCheck extends BaseCheck {
  name = 'backup'

  async run() {
    const { everyMs } = settings
    if (everyMs === null) return Result.ok('none is scheduled (BACKUP_EVERY)')
    const state = await findBackupState()
    return failed(state) ?? late(state, everyMs) ?? unverified(state) ?? made(state)
  }
}

function failed(state: BackupState) {
  if (!hasFailedLast(state)) return null
  const { failure, madeAt } = state
  const message = `the last one failed: ${failure}; ${lastOf(madeAt)}`
  return Result.failed(message).setMetaData({ remedy: 'Check BACKUP_DIR; it is tried every hour.' })
}

/** The next one may take its time, and no process may have run. */
function late({ madeAt }: BackupState, everyMs: number): HealthCheckResult | null {
  if (madeAt === null) return Result.warning('none was made yet')
  if (Date.now() - madeAt <= everyMs + HOUR_MS) return null
  const remedy = 'Look for “scheduled backup” in the log of each server.'
  return Result.failed(lastOf(madeAt)).setMetaData({ remedy })
}

function unverified({ madeAt, firstMadeAt, verifiedAt }: BackupState) {
  const since = Math.max(verifiedAt ?? 0, firstMadeAt ?? 0)
  if (Date.now() - since < settings.unverifiedMs) return null
  const days = Math.floor(settings.unverifiedMs / DAY_MS)
  const remedy = 'Run backup:verify with the newest file and your identity.'
  const message = `${lastOf(madeAt)}, and none was opened for ${days} days`
  return Result.warning(message).setMetaData({ remedy })
}

function made({ madeAt }: BackupState) {
  return Result.ok(lastOf(madeAt))
}

function lastOf(madeAt: number | null) {
  if (madeAt === null) return 'none was made yet'
  const hours = Math.floor((Date.now() - madeAt) / HOUR_MS)
  return `the newest is ${hours === 1 ? 'one hour' : `${hours} hours`} old`
}
