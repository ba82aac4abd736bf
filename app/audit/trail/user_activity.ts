import { invalidField } from '#exceptions/http_errors'
import { listAuditEvents, walkEventsAbout } from './query.ts'
import { redactFor } from './audit_record.ts'

/** Rows that a numbered page may skip: each is read, and on SQLite everybody waits meanwhile. */
const MAX_DEPTH = 10_000

interface ActivityPage {
  /** Counted from 1; a cursor goes before it. */
  page: number
  limit: number
  /** `nextCursor` of the page before. */
  cursor?: string
}

/**
 * One page of the events about a user, the newest first, as the user may see them.
 *
 * @returns the events, how many there are up to 1,001, and the cursor of the page after
 * @throws a validation error for a page that is too deep
 */
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

/** Every event about a user in portions, the oldest first, without the ids of the trail. */
export async function* walkActivity(userId: string) {
  for await (const events of walkEventsAbout(userId)) {
    yield events.map((event) => {
      const { occurredAt, action, outcome, ip, userAgent, details } = redactFor(userId, event)
      return { occurredAt, action, outcome, ip, userAgent, details }
    })
  }
}
