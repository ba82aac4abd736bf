import env from '#start/env'
import mfa from './mfa.ts'
import { appUrl } from './app.ts'

const { hostname, origin } = new URL(appUrl)

/** Passkeys: WebAuthn credentials, which an authenticator makes for one domain and uses there alone. */
export default {
  /** What authenticators call this installation. */
  rpName: mfa.issuer,

  /** The domain of every passkey; another one makes all of them useless. */
  rpId: env.get('PASSKEY_RP_ID') ?? hostname,

  /** Where a passkey may be used: our own pages, and those that `PASSKEY_ORIGINS` adds. */
  origins: [...new Set([origin, ...env.get('PASSKEY_ORIGINS')])],

  /** How long a challenge can be answered: a person has to find their key and touch it. */
  challengeTtlMs: 300_000,
}
