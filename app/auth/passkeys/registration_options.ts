import limits from '#config/limits'
import settings from '#config/passkeys'
import { E_PASSKEY_LIMIT } from '#auth/errors'
import { getReauthenticatedUserOrFail, type Reauthentication } from '#auth/mfa/reauthentication'
import { issueChallenge } from './challenges.ts'
import { selectPasskeys } from './passkey_rows.ts'
import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'

/** EdDSA, ES256 and RS256 (IANA COSE algorithms): every authenticator supports one of them. */
export const ALGORITHMS = [-8, -7, -257]

/**
 * The challenge proves the reauthentication: the session may answer it one time, in five minutes.
 * @throws E_PASSKEY_LIMIT, and what `getReauthenticatedUserOrFail` throws
 */
export async function registrationOptions(caller: Reauthentication) {
  const user = await getReauthenticatedUserOrFail(caller)
  const present = await selectPasskeys(user.id)
  if (present.length >= limits.passkeys) throw new E_PASSKEY_LIMIT()
  const handle = await userHandleOf(user)
  const challenge = await issueChallenge(caller)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: settings.rpName,
    rpID: settings.rpId,
    userName: user.email,
    userDisplayName: user.username,
    userID: new Uint8Array(Buffer.from(handle, 'base64url')),
    challenge: new Uint8Array(challenge),
    timeout: settings.challengeTtlMs,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: present.map(({ credential_id: id }) => ({ id })),
  })
}

/** Returns a random handle, which tells a reader nothing of the user (WebAuthn, section 14.6.1). */
export async function userHandleOf({ id, passkeyHandle }: User): Promise<string> {
  if (passkeyHandle) return passkeyHandle
  const handle = randomBytes(32).toString('base64url')
  const user = () => db.from('users').where('id', id)
  await user().whereNull('passkey_handle').update({ passkey_handle: handle })
  const { passkey_handle: stored } = await user().select('passkey_handle').firstOrFail()
  return stored
}
