import db from '@adonisjs/lucid/services/db'
import { throttleRevocations } from '#auth/lockout/throttle'
import { readAccessToken } from '#auth/tokens/access_tokens'
import { revokeAccessToken } from '#auth/tokens/revocation'
import { clientActor, userActor } from '#audit/actor'
import { recordAudit } from '#audit/trail'
import { readJwt } from './introspection.ts'
import { sourceOfRequest } from '#oidc/request_source'
import { endGrant } from '#oidc/grants/end_grants'
import { deleteRecord } from '#oidc/records/record_rows'
import type { Client, Context } from 'oidc-provider'

/* The provider would end the whole grant with any of its tokens (RFC 7009). */

interface StoredToken {
  kind: string
  jti: string
  clientId: string
  accountId: string
  grantId: string
}

/**
 * Revokes a refresh token with its grant, an access token alone, and nothing of another client
 * (section 2.1).
 *
 * @returns false, so that the provider revokes nothing more
 */
export async function revokeStored(ctx: Context, { clientId }: Client, token: StoredToken) {
  if (token.clientId !== clientId) return false
  const { accountId: targetId, grantId: sessionId } = token
  const isRefresh = token.kind === 'RefreshToken'
  if (!isRefresh) await throttleRevocations(sessionId)
  const entry = { actor: actorOf(ctx, targetId), targetId, details: { sessionId, clientId } }
  await db.transaction(async (trx) => {
    const isRevoked = isRefresh
      ? await endGrant(targetId, sessionId, trx)
      : await deleteRecord({ kind: token.kind, id: token.jti }, trx)
    const action = isRefresh ? 'session.ended' : 'token.revoked'
    if (isRevoked) await recordAudit({ ...entry, action }, trx)
  })
  return false
}

function actorOf({ oidc, req }: Context, userId: string) {
  return clientActor(oidc.client.clientId, userActor(userId, sourceOfRequest(req)))
}

export async function revokeJwt(ctx: Context) {
  const { client, params } = ctx.oidc
  const claims = (await readAccessToken(params.token)) ?? (await readJwt(params.token))
  if (claims?.client_id !== client.clientId) return
  const { sub, jti, exp } = claims
  await revokeAccessToken({ sub, jti, exp }, actorOf(ctx, sub))
}
