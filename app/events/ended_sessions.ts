import type { Transaction } from '#database/transaction'

/*
 | The event that ends sessions names them, so that receivers forget them immediately. A transaction
 | may end sessions in several steps before it records the reason.
 */

const ended = new WeakMap<Transaction, string[]>()

export function noteEndedSessions(ids: string[], trx: Transaction) {
  if (ids.length > 0) ended.set(trx, [...(ended.get(trx) ?? []), ...ids])
}

/** Events of subscribers name the sessions that they end, and not what their cause ended before. */
export function holdEndedSessions(trx: Transaction) {
  const held = ended.get(trx) ?? []
  ended.delete(trx)
  return () => noteEndedSessions(held, trx)
}

/** Beyond this number, the event names a time: all earlier sessions of the user or client ended. */
export const MOST_NAMED = 50

/** Returns what the event adds to its details. Its own `sessionId` is not repeated. */
export function takeEndedSessions(details: object, trx: Transaction) {
  const sessionId = 'sessionId' in details ? details.sessionId : null
  const ids = (ended.get(trx) ?? []).filter((id) => id !== sessionId)
  ended.delete(trx)
  if (ids.length === 0) return {}
  const total = ids.length + (sessionId ? 1 : 0)
  return total > MOST_NAMED ? { endedBefore: new Date().toISOString() } : { sessionIds: ids }
}
