import { keyFor, mac } from '#database/keyed_hash'

/*
 | Each link hashes its sequence, its event and the link before: a changed, removed or moved event
 | breaks all later links. An attacker who can write to the database cannot make links without
 | `APP_KEY`.
 */

const CHAIN_KEY = keyFor('gatehouse audit trail')

export interface FixedFields {
  id: string
  /** Milliseconds since the epoch. */
  occurred_at: number
  action: string
  outcome: string
  actor: string
  actor_id: string | null
  target_id: string | null
  details: string
  origin_key: string | null
  origin: string | null
  personal_key: string | null
  personal: string | null
}

const FIXED = [
  'id',
  'occurred_at',
  'action',
  'outcome',
  'actor',
  'actor_id',
  'target_id',
  'details',
  'origin_key',
  'origin',
  'personal_key',
  'personal',
] as const

/** HMAC-SHA-256 over the ciphertext of an event, base64url. */
export function eventMac(event: FixedFields) {
  return mac(CHAIN_KEY, ['event', ...FIXED.map((field) => event[field])])
}

export function isGenuineEvent(event: FixedFields & { mac: string }) {
  return event.mac === eventMac(event)
}

interface Link {
  sequence: number
  mac: string
  previousHash: string
}

export function linkHash({ sequence, mac: eventHash, previousHash }: Link) {
  return mac(CHAIN_KEY, ['link', sequence, eventHash, previousHash])
}

export interface ChainState {
  sequence: number
  hash: string
  /** The last link that retention removed; 0 and an empty hash before the first removal. */
  checkpoint_sequence: number
  checkpoint_hash: string
}

export const EMPTY_CHAIN: ChainState = {
  sequence: 0,
  hash: '',
  checkpoint_sequence: 0,
  checkpoint_hash: '',
}

/** Without the seal an attacker could delete events at an end, and move the head or checkpoint. */
export function sealOf(state: ChainState) {
  const { sequence, hash, checkpoint_sequence: first, checkpoint_hash: firstHash } = state
  return mac(CHAIN_KEY, ['chain', sequence, hash, first, firstHash])
}
