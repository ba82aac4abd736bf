import db from '@adonisjs/lucid/services/db'
import { throttleRevocations } from '#auth/lockout/throttle'
import store from '#auth/store/service'
import { readAccessToken } from '#auth/tokens/access_tokens'
import { revokeAccessToken } from '#auth/tokens/revocation'
import { clientActor, userActor } from '#audit/actor'
import { record } from '#events/record'
import { readJwt } from './introspection.ts'
import { sourceOfRequest } from '#oidc/request_source'
import { endGrant } from '#oidc/grants/end_grants'
import { deleteRecord } from '#oidc/records/record_rows'
import { openToken } from './sealed_tokens.ts'
import type { Client, Context } from 'oidc-provider'
import type { Transaction } from '#database/transaction'

/* The provider would end the whole grant when one token is revoked (RFC 7009). */

interface StoredToken {
  kind: string
  jti: string
  clientId: string
  accountId: string
  grantId: string
}

/** @returns false, so that the provider revokes nothing more */
export async function revokeStored(ctx: Context, { clientId }: Client, token: StoredToken) {
  if (token.clientId !== clientId) return false
  const { accountId: userId, grantId: sessionId } = token
  const isRefresh = token.kind === 'RefreshToken'
  if (!isRefresh) await throttleRevocations(sessionId)
  const about = { user: { id: userId }, actor: actorOf(ctx, userId) }
  await db.transaction(async (trx) => {
    const isRevoked = isRefresh
      ? await endGrant(userId, sessionId, trx)
      : await revokeOpaque(token, trx)
    const type = isRefresh ? 'session.ended' : 'token.revoked'
    if (isRevoked) await record(trx, { ...about, type, details: { sessionId, clientId } })
  })
  return false
}

function revokeOpaque({ kind, jti: value }: StoredToken, trx: Transaction) {
  const sealed = openToken(value)
  if (sealed) return store.revokeToken(sealed, sealed.exp * 1_000, trx)
  return deleteRecord({ kind, id: value }, trx)
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
