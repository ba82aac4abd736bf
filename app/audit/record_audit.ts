import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { eventMac } from '#audit/chain/chain'
import { pseudonymize } from '#audit/privacy/personal_data'
import { noteCommitted } from '#audit/chain/lost_commits'
import { sealSoon } from '#audit/chain/sealer'
import type { Transaction } from '#database/transaction'
import { insertEvent } from './insert_event.ts'
import type { Actor } from './actor.ts'

export interface AuditEntry {
  id?: string
  action: string
  actor: Actor
  targetId: string | null
  outcome?: 'success' | 'failure'
  /** Must contain no password, token, code or secret. */
  details?: object
}

/**
 * Writes the event in the transaction of the change, so that neither exists without the other.
 * @returns the id of the event
 */
export async function recordAudit(given: AuditEntry, trx: Transaction) {
  const entry = { ...toStorable(given), occurredAt: Date.now() }
  const isInserted = await insertEvent(await toRow(entry, {}, trx), { needsKeys: true }, trx)
  // Another process deleted the user of a key in memory, who may have been imported again since.
  if (!isInserted) {
    await insertEvent(await toRow(entry, { isFresh: true }, trx), { needsKeys: false }, trx)
  }
  const { id, occurredAt } = entry
  trx.after('commit', () => {
    noteCommitted({ id, occurredAt })
    sealSoon()
  })
  return id
}

type StorableEntry = ReturnType<typeof toStorable> & { occurredAt: number }

async function toRow(entry: StorableEntry, keys: { isFresh?: boolean }, trx: Transaction) {
  const { id, action, actor, targetId, outcome = 'success', occurredAt } = entry
  const { lookups, ...hidden } = await pseudonymize(entry, keys, trx)
  const event = {
    id,
    occurred_at: occurredAt,
    action,
    outcome,
    actor: actor.name,
    actor_id: actor.id,
    target_id: targetId,
    ...hidden,
  }
  return { ...event, mac: eventMac(event), ...lookups }
}

const MOST_CHARACTERS = 128

/** The hash covers what the database stores. @throws for a user or event without a UUID */
function toStorable(entry: AuditEntry) {
  const { id = uuidv7(), actor, targetId } = entry
  return {
    ...entry,
    id: storableId(id)!,
    targetId: storableId(targetId),
    actor: { ...actor, id: storableId(actor.id), name: storableName(actor.name) },
  }
}

function storableId(id: string | null) {
  if (id !== null && !isUuid(id)) throw new Error('An audit event names its user by a UUID')
  return id && canonicalId(id)
}

/** A client id may also be a UUID, and keeps its capitals, which distinguish it from others. */
function storableName(name: string) {
  const [, userId] = /^user:(.*)$/s.exec(name) ?? []
  const text = userId === undefined ? name : `user:${canonicalId(userId)}`
  return text.slice(0, MOST_CHARACTERS).toWellFormed()
}
