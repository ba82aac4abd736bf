import env from '#start/env'
import { appUrl } from '#config/app'

export default {
  algorithm: env.get('ACCESS_TOKEN_ALGORITHM'),

  issuer: appUrl,
  audience: env.get('TOKEN_AUDIENCE') ?? appUrl,

  /** Applications have another `aud`: no other service must accept their tokens as a sign-in. */
  clientAudience: new URL('/oauth/api', appUrl).href,

  rotationMs: env.get('KEY_ROTATION'),

  /** Verifiers keep a document for `documentSeconds`, and processes keep keys for `freshMs`. */
  publishedBeforeMs: 600_000,

  documentSeconds: 300,

  /** A process signs with a revoked key no longer than this. */
  freshMs: 10_000,

  /** An attacker can invent unknown keys, and each would cost a query of the database. */
  reloadPauseMs: 1_000,

  reservationMs: 10_000,
}
