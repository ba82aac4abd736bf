import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { eventMac } from '#audit/chain/chain'
import { pseudonymize } from '#audit/privacy/personal_data'
import { noteCommitted } from '#audit/chain/lost_commits'
import { sealSoon } from '#audit/chain/sealer'
import type { Transaction } from '#database/transaction'
import type { Actor } from './actor.ts'

export interface AuditEntry {
  id?: string
  action: string
  actor: Actor
  targetId: string | null
  outcome?: 'success' | 'failure'
  /** No password, token, code or secret. */
  details?: object
}

/** Writes in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(given: AuditEntry, trx: Transaction) {
  const entry = toStorable(given)
  const { id, action, actor, targetId, outcome = 'success' } = entry
  const occurredAt = Date.now()
  const { lookups, ...hidden } = await pseudonymize({ ...entry, occurredAt }, trx)
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
  await insertEvent({ ...event, mac: eventMac(event), ...lookups }, trx)
  trx.after('commit', () => {
    noteCommitted({ id, occurredAt })
    sealSoon()
  })
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

function storableName(name: string) {
  const [kind, ...rest] = name.split(':')
  const text = rest.length > 0 ? `${kind}:${canonicalId(rest.join(':'))}` : kind
  return text.slice(0, MOST_CHARACTERS).toWellFormed()
}

/**
 * The lookup hash of the address stays empty if another process deleted the key meanwhile. On
 * Postgres the key is locked until the commit, so that a deletion empties this hash too.
 */
async function insertEvent(row: Record<string, string | number | null>, trx: Transaction) {
  const { ip_hash: ipHash, ...others } = row
  const isOfUser = Boolean(row.actor_id ?? row.target_id)
  const lock = isOfUser && trx.dialect.name === 'postgres' ? 'FOR KEY SHARE' : ''
  const hasKey = `SELECT 1 FROM audit_keys WHERE id = ? ${lock}`
  const lookup = `(SELECT CAST(? AS varchar) WHERE EXISTS (${hasKey}))`
  const column = ipHash ? trx.raw(lookup, [ipHash, row.origin_key!]) : null
  await trx.table('audit_events').insert({ ...others, ip_hash: column })
}
