/* Applications stand above authentication, and say here what their tokens are good for. */

export interface ClientToken {
  clientId: string
  userId: string
  userVersion: string
  sessionId: string
}

/** As the client is registered now. */
export interface ClientAccess {
  isFirstParty: boolean
  /** What it may have; null for a client with a document, which is asked when a token is issued. */
  scopes: readonly string[] | null
}

type FindAccess = (token: ClientToken) => Promise<ClientAccess | null>

/** With `OIDC_PROVIDER=off` no one says what a token of an application is good for. */
let find: FindAccess = async () => null

export function setClientAccess(findAccess: FindAccess) {
  find = findAccess
}

/** For work `underOneConfiguration`. Null for a token that may not be used. */
export function findClientAccess(token: ClientToken) {
  return find(token)
}

/** A client may have lost scopes since the token was issued. */
export function currentScopes({ scopes }: ClientAccess, scope = '') {
  const granted = scope.split(' ').filter(Boolean)
  return scopes === null ? granted : granted.filter((each) => scopes.includes(each))
}
