import { NIL } from 'uuid'

export interface CallerUser {
  id: string
  email: string
  role: string
}

/** For a caller without a session, such as an API key: no session has this id. */
export const NO_SESSION = { id: NIL }

export interface CallingClient {
  id: string
  isFirstParty: boolean
  /** The scopes of the token that the client still has. */
  scopes: readonly string[]
}

/** The caller that both guards return. */
export interface Caller {
  user: CallerUser
  session: { id: string }
  apiKey?: { id: string; scopes: readonly string[] }
  /** The application of the access token (`client_id`, RFC 9068). */
  client?: CallingClient
}
