import { randomBytes } from 'node:crypto'

/*
 | Sessions in memory are enough for an example. They end when it stops, and two processes would
 | each have their own. In production, keep them in a database or in Redis, and also find them by
 | `sid`: a logout message reaches one process, but is about the sessions of all processes.
 */

const LIFETIME_MS = 12 * 3_600_000

const sessions = new Map()

/** Always uses a new id, so that an id that somebody planted in the browser is worthless. */
export function startSession(values) {
  const session = { id: randomBytes(32).toString('base64url'), ...values }
  sessions.set(session.id, session)
  setTimeout(() => sessions.delete(session.id), LIFETIME_MS).unref()
  return session
}

export function findSession(id) {
  return sessions.get(id)
}

export function endSession(id) {
  sessions.delete(id)
}

/** Ends the session of this `sid` at the provider; without a `sid`, all sessions of the person. */
export function endSessionsOf({ sid, sub }) {
  for (const { id, claims } of sessions.values()) {
    if (sid ? claims.sid === sid : claims.sub === sub) sessions.delete(id)
  }
}

/** Middleware for routes that require a session. */
export function requireSession(request, response, next) {
  if (request.session) next()
  else response.redirect(303, '/')
}
