import { userActor } from '#audit/actor'
import { recordReauthentication } from '#auth/mfa/reauthentication'
import store from '#auth/store/service'
import type { RequestSource } from '#auth/sessions/device'
import type User from '#models/user'
import { amrOfPasskey } from './amr.ts'
import { verifyAssertion } from './verify_assertion.ts'
import type { AssertionResponse } from './responses.ts'

interface PasskeyAnswer {
  response: AssertionResponse
  from: RequestSource
}

/** A passkey proves both factors, so no code is requested. @throws E_PASSKEY_INVALID */
export async function reauthenticateByPasskey(
  { id: userId }: User,
  sessionId: string,
  { response, from }: PasskeyAnswer
) {
  const { passkey } = await verifyAssertion(response, { userId, from })
  const authentication = { amr: amrOfPasskey(passkey), at: Date.now() }
  await store.reauthenticateSession({ userId, sessionId }, authentication)
  await recordReauthentication(userId, { ...userActor(userId, from), sessionId }, 'passkey')
}
