import settings from '#config/oidc'
import { OpenIdProvider } from '#tests/servers/openid'
import { freePort } from '#tests/support/free_port'
import { UNLIMITED } from '../../process/backend.ts'

const PROVIDER = `http://127.0.0.1:${await freePort()}`

/** Settings of an installation in which every kind can be made and proved. */
export const STORED_SETTINGS = {
  /** The proof of a deleted user is a failed sign-in after each event for the others. */
  LOCKOUT_THRESHOLD: '20',
  ...UNLIMITED,
  EXTRA_ROLES: 'Editor',
  OIDC_PROVIDERS: 'acme',
  OIDC_ACME_ISSUER: PROVIDER,
  OIDC_ACME_CLIENT_ID: 'gatehouse',
  OIDC_ACME_CLIENT_SECRET: 'a-secret-between-the-two',
}

/** Starts a real provider, at which users of installations with these settings sign in. */
export async function startCounterparts() {
  const provider = new OpenIdProvider(PROVIDER, `${settings.issuer}/auth/external/acme/callback`)
  await provider.start()
  return provider
}
