import { findUserRecord } from '#transformers/user_record_cache'
import { isServed } from '#oidc/client_id_metadata/served_urls'
import { mayAccess, mayUse, type AccessSubject } from '#oidc/clients/access/may_access'
import { findCurrentClient, findRememberedClient } from '#oidc/clients/remembered_clients'
import { scopesOfApi } from '#oidc/clients/scopes'
import type { ClientAccess, ClientToken } from '#auth/tokens/client_access'

/** Everybody may use a client with a metadata document. */
const DOCUMENT: ClientAccess = { isFirstParty: false, scopes: null }

/** For work `underOneConfiguration`. */
async function accessTo(clientId: string, user: AccessSubject, sid: string) {
  const client = await findRememberedClient(clientId)
  if (client === null) return isServed(clientId) ? DOCUMENT : null
  if (!(await mayUse(client, user, sid))) return null
  return { isFirstParty: client.kind === 'first_party', scopes: scopesOfApi(client) }
}

/** Uses the client's current registration. */
export async function mayAccessClient(clientId: string, user: AccessSubject) {
  const client = await findCurrentClient(clientId)
  return client === null || mayAccess(client, user)
}

/** Uses the user record of the token's user version. */
export async function findTokenAccess(token: ClientToken): Promise<ClientAccess | null> {
  const { clientId, userId, userVersion, sessionId } = token
  const found = await findUserRecord(userId, userVersion)
  return found && accessTo(clientId, found.entering, sessionId)
}
