import { findUserRecord } from '#transformers/user_record_cache'
import { mayEnter, mayUse, type Entering } from '#oidc/clients/access/may_enter'
import { findCurrentClient, findRememberedClient } from '#oidc/clients/remembered_clients'
import type { ClientToken } from '#auth/tokens/client_access'

/** For work `underOneConfiguration`. Everybody may use a client that has a document. */
async function mayUseClient(clientId: string, user: Entering, sid: string) {
  const client = await findRememberedClient(clientId)
  return client === null || mayUse(client, user, sid)
}

/** By the client as it is registered now. */
export async function mayEnterClient(clientId: string, user: Entering) {
  const client = await findCurrentClient(clientId)
  return client === null || mayEnter(client, user)
}

/** By the record that the version of the user tells. */
export async function mayUseToken({ clientId, userId, userVersion, sessionId }: ClientToken) {
  const found = await findUserRecord(userId, userVersion)
  return found !== null && mayUseClient(clientId, found.entering, sessionId)
}
