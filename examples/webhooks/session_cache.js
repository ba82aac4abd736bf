import { createHash } from 'node:crypto'

/*
 | What Gatehouse said of a token is good until a webhook tells of its session, or for a few
 | minutes: a receiver that was down has missed nothing for longer.
 */

const LONGEST_MS = 5 * 60_000
const MOST = 10_000

const keyOf = (token) => createHash('sha256').update(token).digest('base64url')

export class SessionCache {
  #answers = new Map()

  /** Grows with each webhook that ends sessions. */
  ends = 0

  find(token) {
    const kept = this.#answers.get(keyOf(token))
    return kept && Date.now() < kept.until ? kept.answer : null
  }

  /**
   * @param endsBefore the count when the question was asked: an answer that crossed an end may be
   * older than it
   */
  keep(token, answer, endsBefore) {
    if (endsBefore !== this.ends) return
    if (this.#answers.size >= MOST) this.#answers.clear()
    const until = Math.min(answer.exp * 1_000, Date.now() + LONGEST_MS)
    this.#answers.set(keyOf(token), { answer, until })
  }

  /** Of the sessions that an event names, the one that started goes on. */
  drop({ sessionIds = [], session, scope }) {
    const ended = new Set(sessionIds.filter((id) => id !== session?.id))
    if (ended.size === 0 && !scope) return
    this.ends++
    for (const [key, { answer }] of this.#answers) {
      if (ended.has(answer.sid) || (scope && isWithin(scope, answer))) this.#answers.delete(key)
    }
  }
}

/** Without the start of a session, all of its user and application go: a question more. */
function isWithin({ userId, clientId }, { sub, client_id: client }) {
  return (userId ?? sub) === sub && (clientId ?? client) === client
}
