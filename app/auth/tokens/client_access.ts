/* Applications stand above authentication, and say here who may use their tokens. */

export interface ClientToken {
  clientId: string
  userId: string
  userVersion: string
  sessionId: string
}

type Rule = (token: ClientToken) => Promise<boolean>

let rule: Rule = async () => true

export function setClientAccess(mayUse: Rule) {
  rule = mayUse
}

/** For work `underOneConfiguration`. */
export function mayUseClientToken(token: ClientToken) {
  return rule(token)
}
