import settings from '#config/passkeys'
import { issueChallenge } from './challenges.ts'

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
