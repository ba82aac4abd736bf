import { createHmac } from 'node:crypto'
import Provider, { errors } from 'oidc-provider'
import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import User from '#models/user'
import { findActiveSession } from '#auth/sessions/active_session'
import { Keyring } from '#auth/tokens/keyring'
import { endReusedSession, type Reuse } from '#auth/tokens/reuse'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { sourceOfRequest } from '#oidc/request_source'
import { deleteGrant } from '#oidc/records/delete_grant_rows'
import { findRecord } from '#oidc/records/record_rows'

/*
 | Clients repeat lost requests: a second use within seconds revokes nothing. A later use reveals a
 | copy and ends the session (RFC 6749, section 4.1.2; RFC 9700, section 4.14.2).
 */

const { secret } = new Keyring(tokens.refreshSecrets)

const ACTIONS: Record<string, Reuse['action']> = {
  AuthorizationCode: 'code.reused',
  DeviceCode: 'code.reused',
  RefreshToken: 'refresh.reused',
}

interface GrantSource {
  accountId: string
  grantId: string
}

interface UsedRecord {
  kind: string
  id: string
  consumedAt: number
  source: GrantSource
}

/** Derives the token, so that concurrent requests on several processes get one successor. */
export function successorOf(refreshToken: string) {
  return createHmac('sha256', secret).update(`successor of ${refreshToken}`).digest('base64url')
}

export function isShownAsUsed(kind: string, consumedAt: number) {
  if (kind === 'RefreshToken') return !isInGracePeriod(consumedAt)
  return !(kind in ACTIONS)
}

function isInGracePeriod(consumedAt: number) {
  return Date.now() - consumedAt <= tokens.rotationGraceMs
}

/** Allows a repeated refresh while the successor is unused. @throws invalid_grant */
export async function handleReuse({ kind, id, consumedAt, source }: UsedRecord) {
  const isRepeated = isInGracePeriod(consumedAt)
  const isRefresh = kind === 'RefreshToken'
  if (isRepeated && isRefresh && !(await isUsed(successorOf(id)))) return
  if (!isRepeated || isRefresh) await endReusedGrant(source, ACTIONS[kind])
  else await recordRepetition(source, ACTIONS[kind])
  throw new errors.InvalidGrant('already used')
}

/** The second use may be an attacker's: the trail records it, although no session ends yet. */
async function recordRepetition({ accountId, grantId }: GrantSource, action: Reuse['action']) {
  const actor = anonymousActor(sourceOfRequest(Provider.ctx!.req))
  const clientId = Provider.ctx!.oidc.client.clientId
  const details = { sessionId: grantId, clientId, isEnded: false } as const
  const event = { type: action, outcome: 'failure', actor, details } as const
  await recordCoalesced({ ...event, user: { id: accountId } }, [grantId])
}

async function isUsed(refreshToken: string) {
  const record = await findRecord({ kind: 'RefreshToken', id: refreshToken })
  return Boolean(record?.consumedAt)
}

async function endReusedGrant({ accountId, grantId }: GrantSource, action: Reuse['action']) {
  const from = sourceOfRequest(Provider.ctx!.req)
  const session = await findActiveSession(accountId, grantId)
  const user = await User.find(accountId)
  await db.transaction(async (trx) => {
    if (session && user) {
      await endReusedSession({ action, session, recipient: user.email, from }, trx)
    }
    await deleteGrant(grantId, trx)
  })
}

export async function reportReuse({ oidc }: NonNullable<typeof Provider.ctx>) {
  const { RefreshToken: token } = oidc.entities
  if (token?.consumed) await endReusedGrant(token, 'refresh.reused')
  return true
}
