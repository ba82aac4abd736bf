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

/*
 | Revocation by a client (RFC 7009). The library would end the whole grant with any token of
 | it, and knows no token that is a JWT.
 */

/** A token as the library found it. */
interface StoredToken {
  kind: string
  jti: string
  clientId: string
  accountId: string
  grantId: string
}

/**
 * Revokes a token of the client: a refresh token with its grant, an access token alone. One of
 * another client is left alone, and answered like an unknown one (section 2.1).
 *
 * @returns false, so that the library revokes nothing more
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

/** Revokes a JWT of the client that the request has authenticated. */
export async function revokeJwt(ctx: Context) {
  const { client, params } = ctx.oidc
  const claims = (await readAccessToken(params.token)) ?? (await readJwt(params.token))
  if (claims?.client_id !== client.clientId) return
  const { sub, jti, exp } = claims
  await revokeAccessToken({ sub, jti, exp }, actorOf(ctx, sub))
}
