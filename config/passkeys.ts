import env from '#start/env'
import mfa from './mfa.ts'
import { appUrl } from './app.ts'

const { hostname, origin } = new URL(appUrl)

export default {
  rpName: mfa.issuer,

  /** Another domain makes all passkeys useless. */
  rpId: env.get('PASSKEY_RP_ID') ?? hostname,

  origins: [...new Set([origin, ...env.get('PASSKEY_ORIGINS')])],

  challengeTtlMs: 300_000,
}
