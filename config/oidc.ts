import env from '#start/env'
import { appUrl } from '#config/app'
import tokens from '#config/tokens'

const metadataClients = env.get('OIDC_CLIENT_METADATA')

export default {
  isOn: env.get('OIDC_PROVIDER') === 'on',

  issuer: appUrl,

  /** The access of clients that are registered from now on. */
  access: env.get('OIDC_ACCESS'),

  /** Empty while the provider is off, because no application signs in here then. */
  webfingerDomains: env.get('OIDC_PROVIDER') === 'on' ? env.get('WEBFINGER_DOMAINS') : [],

  /** A server redeems a code immediately, so a code that leaks later is worthless. */
  codeSeconds: 60,

  accessSeconds: Math.floor(tokens.accessTtlMs / 1_000),

  idTokenSeconds: 900,

  interactionSeconds: 1_800,

  /** RFC 8628, section 3.2: the time to type the code of a device. */
  deviceSeconds: 600,

  documents: {
    isOn: env.get('OIDC_PROVIDER') === 'on' && metadataClients !== 'off',
    hosts: Array.isArray(metadataClients) ? metadataClients : [],
    scopes: [] as string[],
    freshMs: 3_600_000,
    minFreshMs: 300_000,
    maxFreshMs: 86_400_000,
    staleMs: 86_400_000,
  },

  /** Key sets by `jwksUri`. An attacker can invent key ids: a set is read at most once a minute. */
  keySets: { most: 1_000, freshMs: 600_000, pauseMs: 60_000, failurePauseMs: 5_000 },

  /** Client assertions (RFC 7523): a leaked one is worth little, and its row is deleted soon. */
  assertions: { longestSeconds: 3_600, leewaySeconds: 10, aheadSeconds: 60 },

  /** Each try signs a new token (Back-Channel Logout 1.0, section 2.4). */
  logouts: {
    timeoutMs: 5_000,
    tokenSeconds: 120,
    retries: { max: 10, firstDelayMs: 2_000, longestDelayMs: 600_000 },
  },

  previousSecretMs: 86_400_000,
}
