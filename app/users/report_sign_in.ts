import User from '#models/user'
import { E_INVALID_TOKEN } from '#auth/errors'
import { fingerprintOf } from '#auth/devices/fingerprint'
import { forgetDevices } from '#auth/devices/known_devices'
import { findActiveSession } from '#auth/sessions/active_session'
import { endSessions, listSessions } from '#auth/sessions/sessions'
import { findLiveToken, redeemOneTimeToken } from '#auth/tokens/one_time_tokens'
import { record } from '#events/record'
import { userActor } from '#audit/actor'
import { hasAddedSince } from './sign_in_methods.ts'
import { changeRemovingMethods, removeAllSince } from './remove_methods.ts'
import type { RequestSource } from '#auth/sessions/device'
import type { Transaction } from '#database/transaction'

/** An attacker could add an API key and sign out, so the link stays valid while something added remains. */
export async function findReportable(token: string) {
  const live = await findLiveToken(token, ['sign_in_report'])
  if (!live) return null
  const [session] = await reportedSessions(live)
  const isAlive = session && (await findActiveSession(live.userId, session.id))
  return isAlive || (await hasAddedSince(live.userId, live.causedAt!)) ? live : null
}

/** An attacker may have ended the reported session after starting others, so later sessions count too. */
async function reportedSessions(
  { userId, fingerprint, causedAt }: ReportedDevice,
  trx?: Transaction
) {
  const sessions = await listSessions(userId, trx)
  return sessions.filter(
    (session) => fingerprintOf(session) === fingerprint || session.createdAt >= causedAt!
  )
}

interface ReportedDevice {
  userId: string
  fingerprint: string | null
  /** The time of the sign-in in milliseconds since the epoch. */
  causedAt: number | null
}

/**
 * Removes all that was added since the sign-in. The page gets no token: its reader may hold a
 * previous mailbox.
 * @returns what was removed, `isMailed` (false for a disabled user), `hasMoved` (the address has
 * changed)
 * @throws E_INVALID_TOKEN for a link that was used, has expired or has no effect
 */
export async function reportSignIn(token: string, from: RequestSource) {
  const live = await findReportable(token)
  const owner = live && (await User.find(live.userId))
  if (!owner) throw new E_INVALID_TOKEN()
  return changeRemovingMethods(owner, async (trx, { keepsMethods }) => {
    /** The user is locked before the token, as everywhere: the other order could deadlock. */
    const user = await User.lockForUpdate(live.userId, trx)
    const redeemed = await redeemOneTimeToken(token, ['sign_in_report'], trx)
    if (!user || !redeemed) throw new E_INVALID_TOKEN()
    const [session] = await reportedSessions(redeemed, trx)
    const endedSessions = await endSessions(user.id, { trx })
    const withdrawnDevices = await forgetDevices(user.id, {}, trx)
    const removal = { since: redeemed.causedAt!, keepsMethods }
    const { removed, passkeys } = await removeAllSince(user.id, removal, trx)
    const actor = userActor(user.id, from)
    const ended = { ...(session && { sessionId: session.id }), endedSessions, withdrawnDevices }
    const details = { ...ended, ...removed }
    await record(trx, { type: 'session.denied', user, actor, details, context: { passkeys } })
    return { isMailed: !user.isDisabled, removed, hasMoved: redeemed.email !== user.email }
  })
}
