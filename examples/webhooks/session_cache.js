import { createHash } from 'node:crypto'

/*
 | The answer of Gatehouse about a token is valid until a webhook reports its session, or for a few
 | minutes: a receiver that was down is wrong for no longer than that.
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
   * @param endsBefore the value of `ends` when the question was asked: an answer may be older than
   * an end that was reported before it arrived
   */
  keep(token, answer, endsBefore) {
    if (endsBefore !== this.ends) return
    if (this.#answers.size >= MOST) this.#answers.clear()
    const until = Math.min(answer.exp * 1_000, Date.now() + LONGEST_MS)
    this.#answers.set(keyOf(token), { answer, until })
  }

  /** Drops the sessions that an event names, except for the one that it started. */
  drop({ sessionIds = [], session, scope }) {
    const ended = new Set(sessionIds.filter((id) => id !== session?.id))
    if (ended.size === 0 && !scope) return
    this.ends++
    for (const [key, { answer }] of this.#answers) {
      if (ended.has(answer.sid) || (scope && isWithin(scope, answer))) this.#answers.delete(key)
    }
  }
}

/** Without start times, all sessions of the user and application match. This costs one question. */
function isWithin({ userId, clientId }, { sub, client_id: client }) {
  return (userId ?? sub) === sub && (clientId ?? client) === client
}
