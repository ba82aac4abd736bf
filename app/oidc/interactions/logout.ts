import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { endGrant } from '#oidc/grants/end_grants'
import { signOut } from '#oidc/grants/sign_out'
import { findGrantOrigin } from '#oidc/records/grant_rows'
import type { CheckedLogout } from './check_logout.ts'
import type { Actor } from '#audit/actor'
import type { WebCaller } from '#auth/sessions/web_session'

type Ended = 'everything' | 'own' | 'nothing'

interface LogoutSource {
  browserId: string | null
  actor: Actor
}

/**
 * The ID token of a session that began in this browser shows who asks: an attacker has none. A
 * third party ends only its own session.
 */
export async function logOutByHint(
  { hint, isFirstParty }: CheckedLogout,
  { user, session }: WebCaller,
  { browserId, actor }: LogoutSource
): Promise<Ended> {
  if (!hint?.isVerified || !hint.sid || hint.sub !== user.id) return 'nothing'
  const began = await findGrantOrigin(hint.sid)
  const isSameSession = began?.webSessionId === session.id
  const isSameBrowser = browserId !== null && began?.browserId === browserId
  if (!began || !(isSameSession || isSameBrowser)) return 'nothing'
  const isLeft = isFirstParty && (isSameSession || began.isOffline)
  if (!isLeft) await endOwnSession(user.id, hint.sid, actor)
  if (!isFirstParty) return 'own'
  await signOut(session, actor)
  return 'everything'
}

async function endOwnSession(userId: string, sessionId: string, actor: Actor) {
  await db.transaction(async (trx) => {
    if (!(await endGrant(userId, sessionId, trx))) return
    await record(trx, {
      type: 'session.ended',
      user: { id: userId },
      actor,
      details: { sessionId },
    })
  })
}
