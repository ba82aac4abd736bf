import env, { externalProviders } from '#start/env'
import { appUrl } from './app.ts'

const { google, github, oidc } = externalProviders

/** External login: which providers there are, and how long its steps may take. */
export default {
  /** Google is an OpenID Connect issuer like any other; `GOOGLE_ISSUER` is for tests. */
  oidc: [
    ...oidc,
    ...(google
      ? [
          {
            name: 'google',
            issuer: env.get('GOOGLE_ISSUER') ?? 'https://accounts.google.com',
            ...google,
          },
        ]
      : []),
  ],

  /** GitHub speaks OAuth 2.0 only; the addresses are others for GitHub Enterprise. */
  github: github && {
    ...github,
    url: env.get('GITHUB_URL') ?? 'https://github.com',
    apiUrl: env.get('GITHUB_API_URL') ?? 'https://api.github.com',
  },

  /** Where a browser may be sent back to: this service, and the origins that may call it. */
  returnOrigins: [new URL(appUrl).origin, ...env.get('CORS_ORIGINS').filter((o) => o !== '*')],

  /** How long the visit at the provider may take. */
  pendingLoginTtlMs: 600_000,

  /** How long a code that was brought back waits for its exchange. */
  codeTtlMs: 60_000,

  /** For all requests to a provider within one step; beyond it the answer is 504. */
  deadlineMs: 3_500,

  /** Bytes of one answer of a provider; a longer one is refused, not read. */
  answerLimit: 512 * 1_024,

  /** How long what an issuer says of itself is believed. */
  discoveryTtlMs: 3_600_000,
}
