import env, { externalProviders } from '#start/env'
import { appUrl } from './app.ts'

const { google, github, oidc } = externalProviders

export default {
  oidc: [
    ...oidc,
    ...(google
      ? [{ name: 'google', issuer: 'https://accounts.google.com', ...google, groupsClaim: null }]
      : []),
  ],

  github,

  /** Matched exactly, so that no page passes a code on to an attacker (RFC 9700, section 4.1.3). */
  returnUrls: env.get('RETURN_URLS'),

  /** Without `RETURN_URLS`, other origins would make this an open redirect. */
  returnOrigins: [new URL(appUrl).origin, ...env.get('CORS_ORIGINS').filter((o) => o !== '*')],

  pendingLoginTtlMs: 600_000,

  /** The code is short-lived, because the browser keeps it in its history. */
  codeTtlMs: 60_000,

  deadlineMs: 3_500,

  discoveryTtlMs: 3_600_000,

  /** A provider reports that a user has left a group only at the next sign-in of the user. */
  groupsTtlMs: 30 * 86_400_000,
}
