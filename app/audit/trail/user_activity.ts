import { invalidField } from '#exceptions/http_errors'
import { listAuditEvents, walkEventsAbout } from './query.ts'
import { redactFor } from './audit_record.ts'

/** A numbered page reads all rows that it skips, and SQLite blocks meanwhile. */
const MAX_DEPTH = 10_000

interface ActivityPage {
  page: number
  limit: number
  cursor?: string
}

/** @returns a total of up to 1,001. @throws a validation error for a page that is too deep */
export async function listActivity(userId: string, { page, limit, cursor }: ActivityPage) {
  const depth = cursor ? 0 : (page - 1) * limit
  if (depth >= MAX_DEPTH) throw tooDeep()
  const about = { about: userId }
  const { events, total } = await listAuditEvents(about, { page: cursor ? 1 : page, limit, cursor })
  const nextCursor = events.length === limit ? events.at(-1)!.id : null
  return { events: events.map((event) => redactFor(userId, event)), total, nextCursor }
}

function tooDeep() {
  const message = `The page field must not skip ${MAX_DEPTH} entries or more: use cursor instead`
  return invalidField('page', 'max', message)
}

export async function* walkActivity(userId: string) {
  for await (const events of walkEventsAbout(userId)) {
    yield events.map((event) => {
      const { occurredAt, action, outcome, ip, userAgent, details } = redactFor(userId, event)
      return { occurredAt, action, outcome, ip, userAgent, details }
    })
  }
}
