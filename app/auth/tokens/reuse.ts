import { endSession } from '#auth/sessions/sessions'
import { anonymousActor } from '#audit/actor'
import { record } from '#events/record'
import type { RequestSource } from '#auth/sessions/device'
import type { SessionRecord } from '#auth/store/contract'
import type { Transaction } from '#database/transaction'

export interface Reuse {
  action: 'refresh.reused' | 'code.reused'
  session: SessionRecord
  recipient: string
  from: RequestSource
}

/**
 * A reused token was copied, and the server cannot tell the user from the attacker. What counts as
 * reuse: `rotation.ts`, and for applications `app/oidc/grants/reuse.ts`.
 */
export async function endReusedSession(
  { action, session, recipient, from }: Reuse,
  trx: Transaction
) {
  const { userId, id: sessionId, deviceName, clientId } = session
  if (!(await endSession(userId, sessionId, trx))) return
  const details = { sessionId, deviceName, ...(clientId && { clientId }) }
  const about = { user: { id: userId, email: recipient }, actor: anonymousActor(from) }
  await record(trx, { ...about, type: action, outcome: 'failure', details })
}
