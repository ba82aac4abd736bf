import db from '@adonisjs/lucid/services/db'
import { withoutSync } from '#database/postgres_durability'
import { selectRows } from '#database/select_rows'
import { disableWebhook } from '#webhooks/disable_webhook'
import type { WebhookRow } from '#webhooks/webhook'
import { LONGEST_FAILURE_MS } from './retry_delays.ts'
import type { Outcome } from './send_message.ts'

const COLUMNS = ['status', 'attempts', 'response_status', 'duration_ms', 'error', 'next_attempt_at']

/**
 * Saves all outcomes with one statement, without a sync: a delivery without an outcome is sent
 * again. A delivery that failed because its webhook was disabled stays failed.
 */
const SAVE = {
  postgres: `UPDATE webhook_deliveries AS d SET ${assign('o.')}
    FROM jsonb_to_recordset(CAST(? AS jsonb)) AS o(id uuid, status text, attempts int,
      response_status int, duration_ms int, error text, next_attempt_at bigint)
    WHERE d.id = o.id AND d.status = 'pending' RETURNING d.id`,
  sqlite: `UPDATE webhook_deliveries SET ${assign(`o.value ->> '`, `'`)} FROM json_each(?) AS o
    WHERE webhook_deliveries.id = o.value ->> 'id' AND webhook_deliveries.status = 'pending'
    RETURNING id`,
}

function assign(before: string, after = '') {
  return COLUMNS.map((column) => `${column} = ${before}${column}${after}`).join(', ')
}

export async function saveOutcomes(webhook: WebhookRow, outcomes: Outcome[]) {
  if (outcomes.length === 0) return
  const client = db.connection()
  const statement = SAVE[client.dialect.name === 'postgres' ? 'postgres' : 'sqlite']
  await selectRows(client, statement + withoutSync(client), [JSON.stringify(outcomes)])
  for (const outcome of outcomes) await noteHealth(webhook, outcome)
}

/** `webhook` holds the known health of the endpoint, so that repeated successes write nothing. */
async function noteHealth(webhook: WebhookRow, { status, error, endedAt }: Outcome) {
  if (error === 'event_removed' || error === 'internal') return
  if (error === 'gone') return disableWebhook(webhook, 'gone')
  const since = webhook.first_failure_at
  if (status === 'delivered') return since === null ? undefined : setFailingSince(webhook, null)
  if (since === null) return setFailingSince(webhook, endedAt)
  if (endedAt - Number(since) > LONGEST_FAILURE_MS) await disableWebhook(webhook, 'failing')
}

async function setFailingSince(webhook: WebhookRow, time: number | null) {
  webhook.first_failure_at = time
  const { id, url } = webhook
  await db.from('webhooks').where({ id, url }).update({ first_failure_at: time })
}
