import env, { externalProviders } from '#start/env'
import { appUrl } from './app.ts'

const { google, github, oidc } = externalProviders

/** External login: its providers, and how long its steps may take. */
export default {
  /** Google is an OpenID Connect issuer. */
  oidc: [
    ...oidc,
    ...(google ? [{ name: 'google', issuer: 'https://accounts.google.com', ...google }] : []),
  ],

  /** GitHub supports OAuth 2.0 only. */
  github,

  /**
   * The whole addresses to which a browser may be redirected, and for which a code challenge
   * is required. Exact matching leaves an attacker no page of the same origin that would pass
   * a code on (RFC 9700, section 4.1.3).
   */
  returnUrls: env.get('RETURN_URLS'),

  /**
   * Where a browser may be redirected without `RETURN_URLS`: other origins would make this an
   * open redirect.
   */
  returnOrigins: [new URL(appUrl).origin, ...env.get('CORS_ORIGINS').filter((o) => o !== '*')],

  /** How long the user may take to sign in at the provider. */
  pendingLoginTtlMs: 600_000,

  /** How long the code of a redirect can be exchanged; short, because it stays in the browser's history. */
  codeTtlMs: 60_000,

  /** For all requests to a provider within one step; afterwards the response is 504. */
  deadlineMs: 3_500,

  /** How long the discovery document of an issuer is cached. */
  discoveryTtlMs: 3_600_000,
}
