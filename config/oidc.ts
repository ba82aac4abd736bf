import env from '#start/env'
import { appUrl } from '#config/app'
import tokens from '#config/tokens'

const metadataClients = env.get('OIDC_CLIENT_METADATA')

/** The OpenID provider (`app/oidc`). Times in seconds, as its library has them. */
export default {
  isOn: env.get('OIDC_PROVIDER') === 'on',

  issuer: appUrl,

  /** Redeemed by a server at once: a code that leaks later is worth nothing. */
  codeSeconds: 60,

  accessSeconds: Math.floor(tokens.accessTtlMs / 1_000),

  /** Checked when a person has just signed in, and not kept. */
  idTokenSeconds: 900,

  /** How long a person may take to sign in and to consent. */
  interactionSeconds: 1_800,

  /** How long a person may take to type the code of a device (RFC 8628, section 3.2). */
  deviceSeconds: 600,

  /** Client id metadata documents (`app/oidc/client_id_metadata`). */
  documents: {
    isOn: env.get('OIDC_PROVIDER') === 'on' && metadataClients !== 'off',
    /** Whose clients are allowed; empty for all. */
    hosts: Array.isArray(metadataClients) ? metadataClients : [],
    /** Of the API, beside those that tell who a person is. */
    scopes: [] as string[],
    /** How long one is used: where its server does not say, at least and at most. */
    freshMs: 3_600_000,
    minFreshMs: 300_000,
    maxFreshMs: 86_400_000,
    /** How much longer while its server is down: people should not be signed out by that. */
    staleMs: 86_400_000,
  },

  /**
   * Messages that a session has ended. They are tried again after 2 s, 4 s, 8 s and so on up to
   * ten minutes, half an hour in all: an application that restarts still hears of it. A token
   * of two minutes is signed for each try (Back-Channel Logout 1.0, section 2.4).
   */
  logouts: {
    timeoutMs: 5_000,
    tokenSeconds: 120,
    retries: { max: 10, firstDelayMs: 2_000, longestDelayMs: 600_000 },
  },

  /** For how long the former secret of a client is good after a rotation. */
  previousSecretMs: 86_400_000,
}
