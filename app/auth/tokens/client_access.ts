/* The applications layer depends on authentication, so it registers here what its tokens allow. */

export interface ClientToken {
  clientId: string
  userId: string
  userVersion: string
  sessionId: string
}

/** The client's current registration. */
export interface ClientAccess {
  isFirstParty: boolean
  /** Allowed scopes; null for a client with a document, which is asked when a token is issued. */
  scopes: readonly string[] | null
}

type FindAccess = (token: ClientToken) => Promise<ClientAccess | null>

/** With `OIDC_PROVIDER=off` no function is registered, so that no application token is accepted. */
let find: FindAccess = async () => null

export function setClientAccess(findAccess: FindAccess) {
  find = findAccess
}

/** Call it within `underOneConfiguration`. Returns null for a token that may not be used. */
export function findClientAccess(token: ClientToken) {
  return find(token)
}

/** A client may have lost scopes since the token was issued. */
export function currentScopes({ scopes }: ClientAccess, scope = '') {
  const granted = scope.split(' ').filter(Boolean)
  return scopes === null ? granted : granted.filter((each) => scopes.includes(each))
}
