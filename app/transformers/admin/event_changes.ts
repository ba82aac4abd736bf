import type { I18n } from '@adonisjs/i18n'
import type { AuditRecord } from '#audit/trail/audit_record'
import { display, fieldTitle, isChange } from './event_fields.ts'

export interface EventChange {
  field: string
  before?: string
  after: string
}

/** Details that are shown elsewhere in the line, or are of no use to an administrator. */
const HIDDEN_DETAILS = new Set([
  'sessionId',
  'passkeyId',
  'groupId',
  'deviceName',
  'count',
  'firstEvent',
])

export function changesOf(i18n: I18n, { action, targetId, details }: AuditRecord): EventChange[] {
  const visible = Object.entries(details).filter(([field, value]) => {
    const isTarget = field === 'email' && !targetId && !isChange(value)
    return !isTarget && !HIDDEN_DETAILS.has(field)
  })
  return visible.map(([field, value]) =>
    // The text of an administrator may look like a translated value, so it stays as it is.
    field === 'reason' && action === 'account.disabled'
      ? { field: fieldTitle(i18n, field), after: String(value) }
      : changeOf(i18n, field, value)
  )
}

function changeOf(i18n: I18n, field: string, value: unknown): EventChange {
  const title = fieldTitle(i18n, field)
  if (!isChange(value)) return { field: title, after: display(i18n, field, value) }
  const { before, after } = value
  return {
    field: title,
    before: display(i18n, field, before),
    after: display(i18n, field, after),
  }
}
