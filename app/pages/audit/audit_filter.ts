import { FAILED_SIGN_INS } from '#audit/trail/activity'
import { auditFilterFormValidator } from '#validators/admin'
import { isUtcDay, parseUtcTime, utcFieldValue } from '#validators/utc_time'
import type { AuditFilter } from '#audit/trail/select_events'
import { validate as isUuid } from 'uuid'
import { canonicalEmail } from '#models/email'
import { canonicalId } from '#database/canonical_id'
import { findUserByName } from '#users/find_user'

const DAY_MS = 86_400_000

/** The failed sign-ins of the dashboard comprise several actions. */
export const FAILED = 'failed-sign-ins'

const FAILURES = { action: FAILED_SIGN_INS, outcome: 'failure' } as const

interface AuditQuery {
  action?: string | null
  outcome?: 'success' | 'failure' | null
  /** An id or an e-mail address. */
  account?: string | null
  ip?: string | null
  /** Days, minutes or instants, as `utc_time` reads them. */
  from?: string | null
  until?: string | null
  after?: string | null
}

/** @returns null where a parameter of the URL is invalid */
export async function readQuery(values: Record<string, unknown>): Promise<AuditQuery | null> {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const [invalid, query] = await auditFilterFormValidator.tryValidate(Object.fromEntries(given))
  return invalid ? null : query
}

export async function filterOf(query: AuditQuery): Promise<AuditFilter> {
  return {
    ...(query.action === FAILED ? FAILURES : { action: query.action ?? undefined }),
    ...(query.outcome && { outcome: query.outcome }),
    ...(query.account && (await accountFilter(query.account))),
    ip: query.ip ?? undefined,
    from: query.from ? parseUtcTime(query.from) : undefined,
    to: query.until ? endOf(query.until) : undefined,
  }
}

/** If `until` is a day, the range includes the whole day. */
function endOf(until: string) {
  return parseUtcTime(until) + (isUtcDay(until) ? DAY_MS : 0)
}

export function fieldsOf(input: Record<string, string>) {
  return { ...input, from: utcFieldValue(input.from), until: utcFieldValue(input.until) }
}

/** An e-mail without a user finds the failed sign-ins that guessed it. */
async function accountFilter(account: string): Promise<AuditFilter> {
  if (isUuid(account)) return { about: canonicalId(account) }
  const user = await findUserByName(account)
  return user ? { about: user.id } : { email: canonicalEmail(account) ?? account }
}
