import { BaseCheck } from '@adonisjs/core/health'
import settings from '#config/backup'
import { failed, passed, warning, type CheckResult } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { findBackupState, hasFailedLast, type BackupState } from '#backup/scheduled/state'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

export class BackupCheck extends BaseCheck {
  name = 'backup'

  async run() {
    const { everyMs } = settings
    if (everyMs === null) return passed(sentence('backup.off'))
    const state = await findBackupState()
    return failedLast(state) ?? late(state, everyMs) ?? unverified(state) ?? made(state)
  }
}

function failedLast(state: BackupState) {
  if (!hasFailedLast(state)) return null
  const failure = sentence('backup.failed', { failure: state.failure ?? '' })
  return failed([failure, lastOf(state.madeAt)], sentence('backup.failed_remedy'))
}

/** Allows an hour more, because a backup takes time, and no process may have run. */
function late({ madeAt }: BackupState, everyMs: number): CheckResult | null {
  if (madeAt === null) return warning(lastOf(madeAt))
  if (Date.now() - madeAt <= everyMs + HOUR_MS) return null
  return failed(lastOf(madeAt), sentence('backup.late_remedy'))
}

function unverified({ madeAt, firstMadeAt, verifiedAt }: BackupState) {
  const since = Math.max(verifiedAt ?? 0, firstMadeAt ?? 0)
  if (Date.now() - since < settings.unverifiedMs) return null
  const days = Math.floor(settings.unverifiedMs / DAY_MS)
  const finding = [lastOf(madeAt), sentence('backup.unverified', { days })]
  return warning(finding, sentence('backup.unverified_remedy'))
}

function made({ madeAt }: BackupState) {
  return passed(lastOf(madeAt))
}

function lastOf(madeAt: number | null) {
  if (madeAt === null) return sentence('backup.none')
  return sentence('backup.age', { hours: Math.floor((Date.now() - madeAt) / HOUR_MS) })
}
