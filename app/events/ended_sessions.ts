import type { Transaction } from '#database/transaction'

/*
 | The event that ends sessions names them, so that receivers forget them at once. One transaction
 | may end them in several steps before it records why.
 */

const ended = new WeakMap<Transaction, string[]>()

export function noteEndedSessions(ids: string[], trx: Transaction) {
  if (ids.length > 0) ended.set(trx, [...(ended.get(trx) ?? []), ...ids])
}

/** The events of subscribers name what they end, and not what their cause has ended before. */
export function holdEndedSessions(trx: Transaction) {
  const held = ended.get(trx) ?? []
  ended.delete(trx)
  return () => noteEndedSessions(held, trx)
}

/** Beyond this many, a time stands for all sessions of the user or client before it. */
export const MOST_NAMED = 50

/** What the event adds to its details. Its own `sessionId` is not repeated. */
export function takeEndedSessions(details: object, trx: Transaction) {
  const sessionId = 'sessionId' in details ? details.sessionId : null
  const ids = (ended.get(trx) ?? []).filter((id) => id !== sessionId)
  ended.delete(trx)
  if (ids.length === 0) return {}
  const total = ids.length + (sessionId ? 1 : 0)
  return total > MOST_NAMED ? { endedBefore: new Date().toISOString() } : { sessionIds: ids }
}
