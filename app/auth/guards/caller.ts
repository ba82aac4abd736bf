import { NIL } from 'uuid'

/** What the guards know of a user, and what a token is issued for. */
export interface CallerUser {
  id: string
  email: string
  role: string
}

/** The session of a caller without one, such as an API key: no session ever has this id. */
export const NO_SESSION = { id: NIL }

/** The user and the session that a request acts for. Both guards answer with this shape. */
export interface Caller {
  user: CallerUser
  session: { id: string }
  /** The API key by which the user acts; it has no session. */
  apiKey?: { id: string }
  /** The application to which the user's access token was issued (`client_id`, RFC 9068). */
  client?: { id: string }
}
