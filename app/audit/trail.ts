import { v7 as uuidv7, validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { eventMac } from '#audit/chain/chain'
import { pseudonymize } from '#audit/privacy/personal_data'
import { noteCommitted } from '#audit/chain/lost_commits'
import { sealSoon } from '#audit/chain/sealer'
import type { Transaction } from '#database/transaction'
import type { Actor } from './actor.ts'

export interface AuditEntry {
  /** Of a caller who refers to the event; UUID v7. */
  id?: string
  /** A type of event that the trail keeps (`app/events/event_types.ts`). */
  action: string
  actor: Actor
  /** The user that it happened to. */
  targetId: string | null
  outcome?: 'success' | 'failure'
  /** What changed; never a password, token, code or secret. See `personal_data.ts`. */
  details?: object
}

/**
 * Appends an event to the trail in the transaction of the change that it records, so that
 * neither exists without the other. The sealer gives it its place in the chain later.
 */
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

/** The column of the actor. */
const MOST_CHARACTERS = 128

/**
 * The entry as both databases keep it. The hash of an event covers what is written: if the
 * database kept it in another form, such as an id in small letters, it would look forged and
 * never be sealed.
 *
 * @throws for a user or event that is named by no UUID
 */
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

/** A kind and what it names: a user or key by the id, an operator by the name in the system. */
function storableName(name: string) {
  const [kind, ...rest] = name.split(':')
  const text = rest.length > 0 ? `${kind}:${canonicalId(rest.join(':'))}` : kind
  return text.slice(0, MOST_CHARACTERS).toWellFormed()
}

/**
 * The lookup hash of an address stays empty if its key was deleted meanwhile: this process
 * may have the key of a user at hand whom another one has deleted. On Postgres the key of a user is
 * locked until the commit, so that a deletion waits for the event and empties its hash too. All
 * guesses share the key of their month, which nobody deletes for two months.
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
