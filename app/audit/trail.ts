import { v7 as uuidv7 } from 'uuid'
import { selectRows } from '#database/select_rows'
import { CHAIN_COUNT, chainOf, linkHash, sealOf } from './chain.ts'
import type { Transaction } from '#database/transaction'
import type { Actor } from './actor.ts'

/** What the trail records: the subject and what happened to it. Stored rows keep these values. */
export type AuditAction =
  | 'account.registered'
  | 'account.created'
  | 'account.invited'
  | 'account.updated'
  | 'account.locked'
  | 'account.unlocked'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.deleted'
  | 'account.exported'
  | 'accounts.exported'
  | 'accounts.imported'
  | 'secrets.rotated'
  | 'signing_key.published'
  | 'signing_key.started'
  | 'signing_key.revoked'
  | 'role.changed'
  | 'login.succeeded'
  | 'login.failed'
  | 'login.challenged'
  | 'login.abandoned'
  | 'login.refused'
  | 'access.denied'
  | 'device.locked'
  | 'device.withdrawn'
  | 'session.ended'
  | 'session.denied'
  | 'sessions.ended'
  | 'token.revoked'
  | 'refresh.reused'
  | 'password.changed'
  | 'password.incorrect'
  | 'password.reset_requested'
  | 'password.reset'
  | 'email.change_requested'
  | 'email.change_withdrawn'
  | 'email.change_undone'
  | 'email.changed'
  | 'email.verified'
  | 'avatar.changed'
  | 'avatar.removed'
  | 'mfa.enabled'
  | 'mfa.disabled'
  | 'mfa.reset'
  | 'mfa.suspended'
  | 'mfa.incorrect_code'
  | 'mfa.backup_codes_replaced'
  | 'identity.linked'
  | 'identity.unlinked'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'mail.retried'
  | 'mail.read'
  | 'mail.tested'

export interface AuditEntry {
  /** Of a caller who refers to the event; UUID v7. */
  id?: string
  action: AuditAction
  actor: Actor
  /** The user that it happened to. */
  targetId: string | null
  outcome?: 'success' | 'failure'
  /** What changed; never a password, token, code or secret. */
  details?: Record<string, unknown>
}

interface ChainHead {
  last_sequence: number
  last_hash: string
}

/**
 * Appends an event to the trail in the transaction of the change that it records, so that
 * neither exists without the other. Call it last: it locks its chain until the commit.
 */
export async function recordAudit(entry: AuditEntry, trx: Transaction) {
  const { actor, targetId } = entry
  await createChains(trx)
  const chain = chainOf(targetId ?? actor.id)
  const head = await advanceChain(chain, trx)
  const event = {
    id: entry.id ?? uuidv7(),
    chain,
    sequence: head.last_sequence,
    occurredAt: Date.now(),
    action: entry.action,
    outcome: entry.outcome ?? 'success',
    actor: actor.name,
    actorId: actor.id,
    targetId,
    ip: actor.ip,
    userAgent: actor.userAgent,
    details: JSON.stringify(entry.details ?? {}),
    previousHash: head.last_hash,
  }
  const hash = linkHash(event)
  await trx.table('audit_events').insert(toRow(event, hash))
  const seal = sealOf(chain, event.sequence, hash)
  await trx.from('audit_chains').where('chain', chain).update({ last_hash: hash, seal })
}

let areCreated = false

/**
 * Creates the heads of all chains with the first event of the trail, so that a missing
 * chain proves that it was removed.
 */
async function createChains(trx: Transaction) {
  if (areCreated) return
  const [{ total }] = await trx.from('audit_chains').count('* as total')
  if (Number(total) === 0) {
    const heads = Array.from({ length: CHAIN_COUNT }, (_, chain) => ({
      chain,
      last_sequence: 0,
      last_hash: '',
      seal: sealOf(chain, 0, ''),
    }))
    await trx.knexQuery().insert(heads).into('audit_chains').onConflict('chain').ignore()
  }
  trx.after('commit', () => {
    areCreated = true
  })
}

/** Takes the next sequence of the chain and locks its head: writers of one chain queue here. */
async function advanceChain(chain: number, trx: Transaction) {
  const [head] = await selectRows<ChainHead>(
    trx,
    `UPDATE audit_chains SET last_sequence = last_sequence + 1 WHERE chain = ?
     RETURNING last_sequence, last_hash`,
    [chain]
  )
  return head
}

function toRow(event: Parameters<typeof linkHash>[0], hash: string) {
  return {
    id: event.id,
    chain: event.chain,
    sequence: event.sequence,
    occurred_at: event.occurredAt,
    action: event.action,
    outcome: event.outcome,
    actor: event.actor,
    actor_id: event.actorId,
    target_id: event.targetId,
    ip: event.ip,
    user_agent: event.userAgent,
    details: event.details,
    previous_hash: event.previousHash,
    hash,
  }
}
