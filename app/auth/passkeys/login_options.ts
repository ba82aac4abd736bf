import settings from '#config/passkeys'
import { issueChallenge } from './challenges.ts'

/** What a browser needs to use a passkey, whosever: its holder offers those that it has. */
export async function loginOptions() {
  const challenge = await issueChallenge()
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: settings.rpId,
    challenge: new Uint8Array(challenge),
    timeout: settings.challengeTtlMs,
    userVerification: 'required',
  })
}
