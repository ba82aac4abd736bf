import { createHmac, hkdfSync } from 'node:crypto'
import env from '#start/env'

/*
 | Each event carries a keyed hash over its own fields and the hash of the event before
 | it. Changing, removing or reordering an event breaks every hash after it, and without
 | `APP_KEY` an attacker who can write to the database cannot compute new ones. Events are
 | spread over several chains, so that concurrent writers do not queue behind one row.
 */

export const CHAIN_COUNT = 8

const KEY = Buffer.from(
  hkdfSync('sha256', env.get('APP_KEY').at(-1)!, '', 'gatehouse audit trail', 32)
)

/** The fields that an event's hash covers, as they are stored. */
export interface ChainedEvent {
  id: string
  chain: number
  sequence: number
  occurredAt: number
  action: string
  outcome: string
  actor: string
  actorId: string | null
  targetId: string | null
  ip: string | null
  userAgent: string | null
  details: string
  previousHash: string
}

/** The link of an event to the one before it: HMAC-SHA-256, base64url. */
export function linkHash(event: ChainedEvent) {
  const fields = [
    event.id,
    event.chain,
    event.sequence,
    event.occurredAt,
    event.action,
    event.outcome,
    event.actor,
    event.actorId,
    event.targetId,
    event.ip,
    event.userAgent,
    event.details,
    event.previousHash,
  ]
  return createHmac('sha256', KEY).update(JSON.stringify(fields)).digest('base64url')
}

/**
 * Signs the end of a chain. Without the seal an attacker could delete the last events and
 * move the head back to an earlier one: its hash can still be read, its seal cannot.
 */
export function sealOf(chain: number, lastSequence: number, lastHash: string) {
  const head = JSON.stringify(['head', chain, lastSequence, lastHash])
  return createHmac('sha256', KEY).update(head).digest('base64url')
}

/** The chain of a user: all events of one user are in one chain, in their order. */
export function chainOf(userId: string | null) {
  return userId ? Number.parseInt(userId.slice(-2), 16) % CHAIN_COUNT : 0
}
