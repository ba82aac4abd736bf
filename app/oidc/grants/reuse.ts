import { createHmac } from 'node:crypto'
import Provider, { errors } from 'oidc-provider'
import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import User from '#models/user'
import { findActiveSession } from '#auth/sessions/active_session'
import { Keyring } from '#auth/tokens/keyring'
import { endReusedSession, type Reuse } from '#auth/tokens/reuse'
import { anonymousActor } from '#audit/actor'
import { recordFlood } from '#audit/trail/coalesced_events'
import { sourceOfRequest } from '#oidc/request_source'
import { deleteGrant } from '#oidc/records/grant_rows'
import { findRecord } from '#oidc/records/record_rows'

/*
 | What happens to a code or a refresh token that is used again. Answers get lost and clients
 | repeat a request at once: for some seconds nothing is revoked. After them the second use is
 | that of a copy, and ends what the first one gave (RFC 6749, section 4.1.2; RFC 9700, 4.14.2).
 */

const { secret } = new Keyring(tokens.refreshSecrets)

/** What a second use means; other kinds are not used up. */
const ACTIONS: Record<string, Reuse['action']> = {
  AuthorizationCode: 'code.reused',
  DeviceCode: 'code.reused',
  RefreshToken: 'refresh.reused',
}

/** What the library calls a grant: who signed in, and which session it is. */
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

/**
 * The token that replaces a refresh token. It follows from that of before and from a secret:
 * requests at the same time, on any number of processes, get the same one.
 */
export function successorOf(refreshToken: string) {
  return createHmac('sha256', secret).update(`successor of ${refreshToken}`).digest('base64url')
}

/** Whether the library learns that a record was used; `useAgain` decides about all others. */
export function isShownAsUsed(kind: string, consumedAt: number) {
  if (kind === 'RefreshToken') return !isInGracePeriod(consumedAt)
  return !(kind in ACTIONS)
}

function isInGracePeriod(consumedAt: number) {
  return Date.now() - consumedAt <= tokens.rotationGraceMs
}

/**
 * Lets the same successor be issued again for a refresh token, while the client has not used that.
 *
 * @throws invalid_grant for every other second use
 */
export async function useAgain({ kind, id, consumedAt, source }: UsedRecord) {
  const isRepeated = isInGracePeriod(consumedAt)
  const isRefresh = kind === 'RefreshToken'
  if (isRepeated && isRefresh && !(await isUsed(successorOf(id)))) return
  if (!isRepeated || isRefresh) await endReusedGrant(source, ACTIONS[kind])
  else await recordRepetition(source, ACTIONS[kind])
  throw new errors.InvalidGrant('already used')
}

/** A code that is sent twice may be one that was copied: it ends nothing yet, and is known. */
async function recordRepetition({ accountId, grantId }: GrantSource, action: Reuse['action']) {
  const actor = anonymousActor(sourceOfRequest(Provider.ctx!.req))
  const clientId = Provider.ctx!.oidc.client.clientId
  const details = { sessionId: grantId, clientId, isEnded: false }
  const entry = { action, outcome: 'failure', actor, targetId: accountId, details } as const
  await recordFlood(entry, [grantId])
}

async function isUsed(refreshToken: string) {
  const record = await findRecord({ kind: 'RefreshToken', id: refreshToken })
  return Boolean(record?.consumedAt)
}

/** Ends the session of a grant of which a copy was used, and tells its person. */
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

/** The library ends a grant where it finds a refresh token that was used long ago. */
export async function reportReuse({ oidc }: NonNullable<typeof Provider.ctx>) {
  const { RefreshToken: token } = oidc.entities
  if (token?.consumed) await endReusedGrant(token, 'refresh.reused')
  return true
}
