import { userActor } from '#audit/actor'
import { recordReauthentication } from '#auth/mfa/reauthentication'
import store from '#auth/store/service'
import type { RequestSource } from '#auth/sessions/device'
import type User from '#models/user'
import { amrOfPasskey } from './amr.ts'
import { verifyAssertion } from './verify_assertion.ts'
import type { AssertionResponse } from './responses.ts'

interface PasskeyProof {
  response: AssertionResponse
  from: RequestSource
}

/**
 * Verifies a passkey of the user, which is each factor that they have, and notes it in the
 * session, as `reauthenticate` does for a password and a code.
 *
 * @throws E_PASSKEY_INVALID
 */
export async function reauthenticateByPasskey(
  { id: userId }: User,
  sessionId: string,
  { response, from }: PasskeyProof
) {
  const { passkey } = await verifyAssertion(response, { userId, from })
  const proof = { amr: amrOfPasskey(passkey), at: Date.now() }
  await store.reauthenticateSession({ userId, sessionId }, proof)
  await recordReauthentication(userId, { ...userActor(userId, from), sessionId }, 'passkey')
}
