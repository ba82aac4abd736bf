import settings from '#config/passkeys'
import { E_PASSKEY_INVALID } from '#auth/errors'
import { useChallenge, type ChallengeOwner } from './challenges.ts'
import { ALGORITHMS } from './registration_options.ts'
import { clientDataOf, type AttestationResponse } from './responses.ts'
import type { RegistrationResponseJSON as CreatedCredential } from '@simplewebauthn/server'

/** Other formats have certificates that could name an address for the server to fetch (SSRF). */
const FORMATS: unknown[] = ['none', 'packed']

/** The length of the longest id: 1,023 bytes in base64url (WebAuthn, section 4). */
const ID_LENGTH = 1_364

export type Attestation = NonNullable<Awaited<ReturnType<typeof verify>>>

/** @throws E_PASSKEY_INVALID, the same for every cause */
export async function verifyAttestation(owner: ChallengeOwner, response: AttestationResponse) {
  const clientData = clientDataOf(response)
  const isAnswer = clientData !== null && (await useChallenge(clientData.challenge, owner))
  const verified =
    isAnswer &&
    clientData.isOurs &&
    (await verify(response, clientData.challenge).catch(() => null))
  if (!verified) throw new E_PASSKEY_INVALID(undefined, { status: 400 })
  return verified
}

async function verify(response: AttestationResponse, expectedChallenge: string) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  if (!FORMATS.includes(await formatOf(response))) return null
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, clientExtensionResults: {} } as CreatedCredential,
    expectedChallenge,
    expectedOrigin: settings.origins,
    expectedRPID: settings.rpId,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  // The library does not compare the id that is sent beside the response.
  const isId = registrationInfo?.credential.id === response.id && response.id.length <= ID_LENGTH
  return isId ? registrationInfo : null
}

async function formatOf({ response }: AttestationResponse) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'))
  return decodeAttestationObject(bytes).get('fmt')
}
