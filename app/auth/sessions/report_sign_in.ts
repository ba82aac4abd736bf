import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { issueOneTimeToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { recordAudit } from '#audit/trail'
import { userActor } from '#audit/actor'
import { endSession } from './sessions.ts'

/**
 * “It was not me”: ends the session that a mail told about and hands out a token to set a
 * new password, because whoever started the session knows the old one. Only the mailbox
 * that the user has now gets that far.
 *
 * @throws E_INVALID_TOKEN for a link that was used or has expired
 */
export async function reportSignIn(token: string, from: { ip: string; userAgent: string | null }) {
  return db.transaction(async (trx) => {
    const redeemed = await redeemOneTimeToken(token, ['sign_in_report'], trx)
    const user = redeemed && (await User.find(redeemed.userId, { client: trx }))
    if (!user || !redeemed.sessionId) throw new E_INVALID_TOKEN()
    const { sessionId } = redeemed
    await endSession(user.id, sessionId, trx)
    const isOwner = redeemed.email === user.email && !user.isDisabled
    const resetToken = isOwner ? await issueOneTimeToken(user, 'password_reset', trx) : null
    await recordAudit(
      {
        action: 'session.denied',
        actor: userActor(user.id, from),
        targetId: user.id,
        details: { sessionId },
      },
      trx
    )
    return { resetToken }
  })
}
