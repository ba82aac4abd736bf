import settings from '#config/passkeys'
import User from '#models/user'
import { E_PASSKEY_INVALID } from '#auth/errors'
import type { RequestSource } from '#auth/sessions/device'
import { useChallenge } from './challenges.ts'
import { findByCredential, type PasskeyRow } from './passkey_rows.ts'
import { recordRefusedPasskey, type RefusalCause } from './refused_passkey.ts'
import { clientDataOf, type AssertionResponse } from './responses.ts'
import type { AuthenticationResponseJSON as SignedResponse } from '@simplewebauthn/server'
import { usePasskey } from './use_passkey.ts'

export interface AssertionRequest {
  /** The expected user, if the user is known. */
  userId?: string
  from: RequestSource
}

class AssertionRefusal {
  constructor(
    readonly cause: RefusalCause,
    readonly userId: string | null = null
  ) {}
}

/** @throws E_PASSKEY_INVALID, the same for every cause; only the trail contains the cause */
export async function verifyAssertion(
  response: AssertionResponse,
  { userId, from }: AssertionRequest
) {
  const verified = await verify(response, { userId, from })
  if (!(verified instanceof AssertionRefusal)) return verified
  await recordRefusedPasskey({ cause: verified.cause, userId: verified.userId, from })
  throw new E_PASSKEY_INVALID()
}

async function verify(response: AssertionResponse, expected: AssertionRequest) {
  const clientData = clientDataOf(response)
  if (!clientData || !(await useChallenge(clientData.challenge)))
    return new AssertionRefusal('challenge')
  if (!clientData.isOurs) return new AssertionRefusal('origin')
  const passkey = await findByCredential(response.id)
  if (!passkey) return new AssertionRefusal('unknown')
  const user = await User.findWithConfiguration(passkey.user_id)
  if (!user || !isTheirs(response, user, expected))
    return new AssertionRefusal('user', passkey.user_id)
  const info = await verifySignature(response, passkey, clientData.challenge).catch(() => null)
  if (!info) return new AssertionRefusal('signature', user.id)
  return usePasskey(
    user,
    { passkey, counter: info.newCounter, isBackedUp: info.credentialBackedUp },
    expected
  )
}

// The signature does not cover the handle, so the handle is compared and never looked up.
function isTheirs({ response }: AssertionResponse, user: User, { userId }: AssertionRequest) {
  return response.userHandle === user.passkeyHandle && (userId ?? user.id) === user.id
}

// Passes zero as the counter: the database compares and stores the counter in one statement.
async function verifySignature(
  response: AssertionResponse,
  { credential_id: id, public_key: publicKey, device_type: deviceType }: PasskeyRow,
  expectedChallenge: string
) {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} } as SignedResponse,
    expectedChallenge,
    expectedOrigin: settings.origins,
    expectedRPID: settings.rpId,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
  })
  // Whether a passkey may be copied never changes (WebAuthn, section 7.2).
  const isSameKind = authenticationInfo.credentialDeviceType === deviceType
  return verified && isSameKind ? authenticationInfo : null
}
