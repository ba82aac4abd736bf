import { encryptFor, type StoredKey } from './personal_cipher.ts'
import { getKey, type KeyOwner } from './personal_keys.ts'
import { monthOf } from './month_keys.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'
import { splitConfiguration } from './configuration_details.ts'
import { splitDetails } from './readable_details.ts'
import { keyFor, mac } from '#database/keyed_hash'

/*
 | Personal data is encrypted under the key of its user, and the chain hashes ciphertext: after an
 | erasure the event still verifies. The origin of an unknown caller uses the key of the target,
 | mostly the same user.
 */

interface Recorded {
  id: string
  action: string
  occurredAt: number
  actor: Actor
  targetId: string | null
  details?: object
}

/** @param isFresh ignores the keys in memory */
export async function pseudonymize(
  event: Recorded,
  { isFresh = false }: { isFresh?: boolean },
  trx: Transaction
) {
  const split = isConfiguration(event) ? splitConfiguration : splitDetails
  const { readable, personal } = split(event.details)
  const { ip, userAgent } = event.actor
  const origin = ip || userAgent ? { ip, userAgent } : {}
  const parts = await encryptParts(event, { origin, personal, isFresh }, trx)
  const isGuess = parts.personal_key !== null && !event.targetId && !event.actor.id
  const { email } = personal
  return {
    ...parts,
    details: JSON.stringify(readable),
    lookups: {
      ip_hash: parts.origin_key && ip ? lookupHash('ip', ip) : null,
      // Events of users are found by their id.
      email_hash: isGuess && typeof email === 'string' ? lookupHash('email', email) : null,
    },
  }
}

const CONFIGURATION = /^(?:settings|configuration|client|group|webhook|backup)\./

/**
 * Configuration identifies no user. Encrypted, it would be lost with an administrator's account or
 * the key of a month: no event could then show which mail server a thief has set.
 */
function isConfiguration({ action, actor, targetId }: Recorded) {
  const isOfUser = targetId !== null || actor.name === 'anonymous'
  return !isOfUser && CONFIGURATION.test(action)
}

export interface Parts {
  origin: object
  personal: object
}

/** Returns null for a part that is empty or whose user is deleted. */
async function encryptParts(
  event: Recorded,
  { origin, personal, ...given }: Parts & { isFresh: boolean },
  trx: Transaction
) {
  const owners = ownersOf(event)
  const isFresh = given.isFresh || event.actor.name === 'anonymous'
  const keys = new Map<KeyOwner, StoredKey | null>()
  const encrypt = async (column: keyof Parts, value: object) => {
    if (Object.keys(value).length === 0) return { id: null, text: null }
    const owner = owners[column]
    if (!keys.has(owner)) keys.set(owner, await getKey(owner, { isFresh }, trx))
    const key = keys.get(owner)!
    const text = key && encryptFor(key, value, { eventId: event.id, column })
    return { id: text ? key.id : null, text }
  }
  const [first, second] = [await encrypt('origin', origin), await encrypt('personal', personal)]
  return {
    origin_key: first.id,
    origin: first.text,
    personal_key: second.id,
    personal: second.text,
  }
}

/** Returns the same object for both parts if they have the same owner. */
function ownersOf({ actor, targetId, occurredAt }: Recorded): Record<keyof Parts, KeyOwner> {
  const [ofOrigin, ofDetails] = [actor.id ?? targetId, targetId ?? actor.id]
  const ownerOf = (id: string | null) => (id ? { userId: id } : monthOf(occurredAt))
  const origin = ownerOf(ofOrigin)
  return { origin, personal: ofOrigin === ofDetails ? origin : ownerOf(ofDetails) }
}

const LOOKUP_KEY = keyFor('gatehouse audit lookup')

/** 48 bits tell addresses apart in filters, but are too few to prove that an event contains one. */
export function lookupHash(kind: 'ip' | 'email', value: string) {
  return mac(LOOKUP_KEY, [kind, value]).slice(0, 8)
}
