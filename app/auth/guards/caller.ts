/** Who a request was authenticated as: what the token says, confirmed by the store. */
export interface Caller {
  /** The user's id, the `sub` claim. */
  id: string
  email: string
  role: string
  sessionId: string
  /** The `jti` claim. */
  tokenId: string
  /** When the token expires, in milliseconds. */
  expiresAt: number
  /** The version of the user's record at this moment. */
  version: number
}

/** What a token can be issued for. */
export interface TokenSubject {
  id: string
  email: string
  role: string
}
