import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { findChain } from '#audit/chain/chain_state'
import { sealPending } from '#audit/chain/sealer'
import { assertMay } from '#auth/callers/permissions'
import { canonicalId } from '#database/canonical_id'
import { selectRows } from '#database/select_rows'
import { record } from '#events/record'
import { changeWebhook } from './change_webhook.ts'
import { countMatching } from './dispatch/matching_events.ts'
import { wakeDispatcher } from './wake.ts'
import { E_WEBHOOK_DISABLED, unknownSince } from './errors.ts'
import { throttleReplays, throttleWebhook } from './throttle.ts'
import { detailsOf } from './webhook.ts'
import { getWebhookOrFail, updateWebhookRow } from './webhook_rows.ts'
import type { Actor } from '#audit/actor'

/** An event of the trail by its id, or a time in milliseconds. Both are inclusive. */
export type Since = { eventId: string } | { time: number }

/**
 * Sets the cursor back, so that deliveries are cut again.
 * @returns how many events are sent again; a number above the limit means that there are more
 * @throws E_NOT_FOUND, E_WEBHOOK_DISABLED, E_TOO_MANY_REQUESTS, a validation error for an event
 * that the trail does not have, and what `assertMay` throws
 */
export async function replayWebhook(id: string, since: Since, actor: Actor) {
  assertMay('webhook.settings', actor)
  const { enabled, events } = await getWebhookOrFail(id)
  if (!enabled) throw new E_WEBHOOK_DISABLED()
  await throttleWebhook('webhookReplays', id)
  await throttleReplays(actor)
  const first = await firstSequence(since)
  const most = limits.replayCount + 1
  const count = first === null ? 0 : await countMatching(events, first, most)
  await changeWebhook(id, actor, async (row, trx) => {
    if (row.disabled_at !== null) throw new E_WEBHOOK_DISABLED()
    if (first !== null) {
      const cut = Math.min(first - 1, Number(row.cut_sequence ?? first - 1))
      const columns = { cut_sequence: cut, starts_with: null, cut_at: Date.now() }
      await updateWebhookRow(id, columns, trx)
    }
    const details = { ...detailsOf(row), count }
    await record(trx, { type: 'webhook.replayed', user: null, actor, details })
    trx.after('commit', wakeDispatcher)
  })
  return { count }
}

/** @param text from a request @throws a validation error */
export function parseSince(text: string): Since {
  if (isUuid(text)) return { eventId: canonicalId(text) }
  const time = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw unknownSince()
  return { time }
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** Returns null if no sealed event is that recent. */
async function firstSequence(since: Since) {
  await sealPending().catch(() => {})
  return 'eventId' in since ? sequenceOf(since.eventId) : firstAt(since.time)
}

async function sequenceOf(eventId: string) {
  const row = await db.from('audit_events').where('id', eventId).select('sequence').first()
  if (!row) throw unknownSince()
  return row.sequence === null ? null : Number(row.sequence)
}

/** Events are sealed in about the order of their times, unless the clock was wrong. */
const NEAR_MS = 60_000

async function firstAt(time: number) {
  const [{ first }] = await selectRows<{ first: number | string | null }>(
    db.connection(),
    `SELECT MIN(sequence) AS first FROM audit_events
     WHERE occurred_at >= :time AND occurred_at <= :near + (
       SELECT MIN(occurred_at) FROM audit_events WHERE occurred_at >= :time)`,
    { time, near: NEAR_MS }
  )
  await assertKept(time)
  return first === null ? null : Number(first)
}

async function assertKept(time: number) {
  const chain = await findChain(db.connection())
  if (!chain?.checkpoint_sequence) return
  const links = db.from('audit_events').whereNotNull('sequence').orderBy('sequence')
  const oldest = await links.select('occurred_at').first()
  if (!oldest || time < Number(oldest.occurred_at)) throw unknownSince()
}
