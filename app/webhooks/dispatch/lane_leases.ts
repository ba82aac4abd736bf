import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { withoutSync } from '#database/postgres_durability'
import { selectRows } from '#database/select_rows'

/*
 | This file owns `webhook_lanes`, which names the process that sends to a webhook. A lease ends
 | with its machine, so its start and end need no sync.
 */

/** The longest time that a killed process holds a webhook. */
export const LEASE_MS = 10_000

export interface LaneLease {
  webhookId: string
  holder: string
}

/**
 * A lease too far in the future is from before the clock was set back.
 * @returns null while another process holds the webhook
 */
export async function acquireLane(webhookId: string, now = Date.now()): Promise<LaneLease | null> {
  const holder = randomUUID()
  const client = db.connection()
  const taken = await selectRows(
    client,
    `INSERT INTO webhook_lanes (webhook_id, holder, held_until)
     VALUES (:webhookId, :holder, :until)
     ON CONFLICT (webhook_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
     WHERE webhook_lanes.held_until <= :now OR webhook_lanes.held_until > :far
     RETURNING webhook_id${withoutSync(client)}`,
    { webhookId, holder, until: now + LEASE_MS, now, far: now + 2 * LEASE_MS }
  )
  return taken.length === 1 ? { webhookId, holder } : null
}

/** @returns false if another process has taken the webhook over */
export async function renewLane({ webhookId, holder }: LaneLease) {
  const held = db.from('webhook_lanes').where({ webhook_id: webhookId, holder })
  return Number(await held.update({ held_until: Date.now() + LEASE_MS })) === 1
}

export async function releaseLane({ webhookId, holder }: LaneLease) {
  const client = db.connection()
  await selectRows(
    client,
    `DELETE FROM webhook_lanes WHERE webhook_id = ? AND holder = ?
     RETURNING webhook_id${withoutSync(client)}`,
    [webhookId, holder]
  )
}
