import { keyFor, mac } from '#audit/privacy/keyed_hash'

/*
 | An event carries a keyed hash of its own fields from the moment it is recorded, and gets
 | its place in the chain afterwards: a hash over its sequence, its own hash and the link
 | before it. Changing, removing or reordering an event breaks every link after it, and
 | without `APP_KEY` an attacker who can write to the database can make none of them.
 */

const CHAIN_KEY = keyFor('gatehouse audit trail')

/** The fields of an event that can never change, as they are stored. */
export interface FixedFields {
  id: string
  /** Milliseconds since the epoch. */
  occurred_at: number
  action: string
  outcome: string
  actor: string
  actor_id: string | null
  target_id: string | null
  /** JSON of the details that identify nobody. */
  details: string
  /** Address and user agent, encrypted under the key `origin_key`. */
  origin_key: string | null
  origin: string | null
  /** The other details, encrypted under the key `personal_key`. */
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

/** The hash of an event: HMAC-SHA-256 over its ciphertext, base64url. */
export function eventMac(event: FixedFields) {
  return mac(CHAIN_KEY, ['event', ...FIXED.map((field) => event[field])])
}

interface Link {
  sequence: number
  mac: string
  /** Of the link before; empty for the first. */
  previousHash: string
}

export function linkHash({ sequence, mac: eventHash, previousHash }: Link) {
  return mac(CHAIN_KEY, ['link', sequence, eventHash, previousHash])
}

/** Where the chain begins and ends. */
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

/**
 * Signs both ends of the chain. Without the seal an attacker could delete the last events
 * and move the head back, or the first ones and move the checkpoint forward: the hashes
 * there can be read, the seal cannot be made.
 */
export function sealOf(state: ChainState) {
  const { sequence, hash, checkpoint_sequence: first, checkpoint_hash: firstHash } = state
  return mac(CHAIN_KEY, ['chain', sequence, hash, first, firstHash])
}
