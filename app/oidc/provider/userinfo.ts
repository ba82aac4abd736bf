import type { IncomingMessage } from 'node:http'
import store from '#auth/store/service'
import { isRememberedAsDeleted } from '#auth/tokens/deleted_clients'
import { underOneConfiguration } from '#database/configuration_version'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { oidcProvider } from './provider.ts'
import { refusalOf } from '#oidc/refusals/record_refusal'
import { dependsOnSession, findAccount } from '#oidc/tokens/accounts'
import { RememberedOfUsers, type OfUser } from '#oidc/tokens/remembered_users'
import { identityScopes } from '#oidc/tokens/resource_servers'
import { openToken } from '#oidc/tokens/sealed_tokens'
import type { SealedToken } from '#oidc/tokens/token_bytes'
import type { Client, Context } from 'oidc-provider'
import type { OwnMetadata } from '#oidc/clients/metadata'

/*
 | Answers userinfo for the most common tokens, on the same evidence as `GET /auth/profile`.
 | Every other request, and every refusal, goes through the library.
 */

/** Each body takes about half a kilobyte of memory. */
const bodies = new RememberedOfUsers<string>({ max: 10_000 })

/** Returns JSON, or null for a token that the library has to judge. */
export async function findUserinfo(value: string, req: IncomingMessage): Promise<string | null> {
  const token = openToken(value)
  if (!token || token.jkt || isMetadataUrl(token.clientId)) return null
  return underOneConfiguration(
    () => store.readConfiguration(),
    () => bodyOf(token, req)
  )
}

/** Checks for a deletion first, because its mark is removed after the last session has ended. */
async function bodyOf(token: SealedToken, req: IncomingMessage) {
  const { userId, clientId, scope } = token
  if (await isRememberedAsDeleted(clientId)) return null
  const status = await store.tokenStatus(token, Date.now())
  if (!status.isActive) return null
  let composed: Composed | null = null
  const read = async () => {
    composed = await compose(token, req)
    return composed?.isOfUser ? composed : null
  }
  const kept = await bodies.find(`${userId} ${clientId} ${scope}`, status.userVersion, read)
  return kept ?? (composed as Composed | null)?.value ?? null
}

interface Composed extends OfUser<string> {
  /** False if the answer depends on the session, or if a claim was refused: each refusal counts. */
  isOfUser: boolean
}

/** Composes the answer from the claims of the library, as the library itself would. */
async function compose({ userId, sessionId, clientId, scope }: SealedToken, req: IncomingMessage) {
  const provider = oidcProvider()
  const client = await provider.Client.find(clientId)
  const granted = client ? scopeNow(scope, client) : ''
  if (!client || !granted.split(' ').includes('openid')) return null
  const ctx = {
    req,
    oidc: { client, entities: { Client: client }, params: {} },
  } as unknown as Context
  const account = await findAccount(ctx, userId, { grantId: sessionId })
  if (!account) return null
  const available = { ...(await account.claims('userinfo', granted)), sub: userId }
  const claims = new provider.Claims(available, { client })
  const value = JSON.stringify(await claims.scope(granted).result())
  const { user } = account
  const { rule }: OwnMetadata = client.gatehouse
  const isOfUser = !dependsOnSession(user) && !rule.requireMfa && !refusalOf(req)
  return { userVersion: user.versionId, value, isOfUser }
}

/** The client may have lost a scope since the token was issued (`patches/granted_scopes.ts`). */
function scopeNow(scope: string, client: Client) {
  const allowed = identityScopes(client)
  const kept = scope.split(' ').filter((each) => allowed.includes(each))
  return kept.join(' ')
}
