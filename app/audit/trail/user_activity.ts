import { listAuditEvents, walkEventsAbout } from './query.ts'
import { redactFor } from './audit_record.ts'

interface ActivityPage {
  page: number
  limit: number
  cursor?: string
}

/** @returns a total of up to 1,001. @throws a validation error for a page that is too deep */
export async function listActivity(userId: string, page: ActivityPage) {
  const { events, ...counts } = await listAuditEvents({ about: userId }, page)
  return { events: events.map((event) => redactFor(userId, event)), ...counts }
}

export async function* walkActivity(userId: string) {
  for await (const events of walkEventsAbout(userId)) {
    yield events.map((event) => {
      const { occurredAt, action, outcome, ip, userAgent, details } = redactFor(userId, event)
      return { occurredAt, action, outcome, ip, userAgent, details }
    })
  }
}
