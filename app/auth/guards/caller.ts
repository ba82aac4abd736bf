/** What the guards know of a user, and what a token is issued for. */
export interface CallerUser {
  id: string
  email: string
  role: string
}

/** The user and the session that a request acts for. Both guards answer with this shape. */
export interface Caller {
  user: CallerUser
  session: { id: string }
}
