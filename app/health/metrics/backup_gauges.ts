import settings from '#config/backup'
import { findBackupState } from '#backup/scheduled/state'
import { gaugeGroup, valueOf } from './gauge_group.ts'

/** Without a schedule there are no samples, so that no alerting rule warns. */
export const backupGauges = gaugeGroup({
  gauges: {
    gatehouse_backup_age_seconds:
      'Age of the newest scheduled backup; +Inf once one has failed before any was made.',
    gatehouse_backup_verified_age_seconds:
      'Time since backup:verify opened a backup, or since the first one was made.',
  },
  async read() {
    const state = settings.everyMs === null ? null : await findBackupState()
    const never = state?.failedAt ? Infinity : null
    const openedAt = state?.verifiedAt ?? state?.firstMadeAt ?? null
    return {
      gatehouse_backup_age_seconds: valueOf(state?.madeAt ? secondsSince(state.madeAt) : never),
      gatehouse_backup_verified_age_seconds: valueOf(
        openedAt === null ? null : secondsSince(openedAt)
      ),
    }
  },
})

function secondsSince(time: number) {
  return Math.max(0, (Date.now() - time) / 1_000)
}
