import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { withdrawTokens } from '#auth/devices/known_devices'
import { discardPendingEmail } from '#auth/pending_email'
import store from '#auth/store/service'
import { revokeKeysSince } from '#auth/api_keys/api_keys'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'
import { queuePasswordResetMail } from '#mails/queue_mail'
import { findActiveSession } from './active_session.ts'
import { endSession, endSessions } from './sessions.ts'
import type { Origin } from './device.ts'

/** Whether a link can still report its sign-in: only while the session that it is about lasts. */
export async function isReportable(token: string) {
  const live = await findLiveToken(token, ['sign_in_report'])
  if (!live?.sessionId) return false
  return Boolean(await findActiveSession(live.userId, live.sessionId))
}

/**
 * “This was not me”: ends every session, because an attacker who started one may have
 * started others, revokes the API keys that were made since, and mails a link to set a new password to the present address. The page
 * gets no token: the mail may be read by a person who has the mailbox no longer.
 *
 * @returns whether a mail is on its way; a disabled user gets none
 * @throws E_INVALID_TOKEN for a link that was used, has expired or whose session has ended
 */
export async function reportSignIn(token: string, from: Origin) {
  const live = await findLiveToken(token, ['sign_in_report'])
  if (!live) throw new E_INVALID_TOKEN()
  return db.transaction(async (trx) => {
    /** The user before the token, as everywhere: the other order could deadlock. */
    const user = await User.lockForUpdate(live.userId, trx)
    const redeemed = await redeemOneTimeToken(token, ['sign_in_report'], trx)
    if (!user || !redeemed?.sessionId) throw new E_INVALID_TOKEN()
    const { sessionId } = redeemed
    const session = await store.findSession(user.id, sessionId, Date.now())
    if (!session || !(await endSession(user.id, sessionId, trx))) throw new E_INVALID_TOKEN()
    const endedSessions = 1 + (await endSessions(user.id, { trx }))
    await discardPendingEmail(user.id, trx)
    const withdrawnDevices = await withdrawTokens(user.id, {}, trx)
    const isMailed = !user.isDisabled
    if (isMailed) await queuePasswordResetMail(user.email, { from }, trx)
    const actor = userActor(user.id, from)
    const revokedKeys = await revokeKeysSince(user.id, session.createdAt, trx)
    const ended = { sessionId, endedSessions, withdrawnDevices }
    const details = { ...ended, ...(revokedKeys > 0 && { revokedKeys }) }
    await recordAudit({ action: 'session.denied', actor, targetId: user.id, details }, trx)
    return { isMailed }
  })
}
