import { listAuditEventsAfter } from '#audit/trail/query'

/** Returns the time of the newest backup in the trail, made by a command or by `BACKUP_EVERY`. */
export async function lastBackupAt(): Promise<number | null> {
  const { events } = await listAuditEventsAfter({ action: 'backup.created' }, { limit: 1 })
  return events.length > 0 ? Date.parse(events[0].occurredAt) : null
}
