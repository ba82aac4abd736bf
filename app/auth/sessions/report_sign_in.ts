import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { issueOneTimeToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'
import { endSession } from './sessions.ts'
import type { Origin } from './device.ts'

/**
 * “This was not me”: ends the session that the mail was about and returns a token to set a
 * new password, because an attacker who started the session knows the old one. A link that
 * was mailed to a former address ends the session, but sets no password.
 *
 * @throws E_INVALID_TOKEN for a link that was used or has expired
 */
export async function reportSignIn(token: string, from: Origin) {
  return db.transaction(async (trx) => {
    const redeemed = await redeemOneTimeToken(token, ['sign_in_report'], trx)
    const user = redeemed && (await User.find(redeemed.userId, { client: trx }))
    if (!user || !redeemed.sessionId) throw new E_INVALID_TOKEN()
    const { sessionId } = redeemed
    await endSession(user.id, sessionId, trx)
    const mayReset = redeemed.email === user.email && !user.isDisabled
    const resetToken = mayReset
      ? await issueOneTimeToken(user, { purpose: 'password_reset' }, trx)
      : null
    const actor = userActor(user.id, from)
    const details = { sessionId }
    await recordAudit({ action: 'session.denied', actor, targetId: user.id, details }, trx)
    return { resetToken }
  })
}
