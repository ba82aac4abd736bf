import env from '#start/env'
import { appUrl } from '#config/app'

/** Key pairs that sign access tokens, so that other services can verify them. Times in milliseconds. */
export default {
  algorithm: env.get('ACCESS_TOKEN_ALGORITHM'),

  /** `iss` and `aud` of tokens that other services verify: they know this address, and no other. */
  issuer: appUrl,
  audience: env.get('TOKEN_AUDIENCE') ?? appUrl,

  /** `aud` of tokens that applications get for our API: no other service takes them for a sign-in. */
  clientAudience: new URL('/oauth/api', appUrl).href,

  /** How old a key gets before it is replaced by itself; null: never. */
  rotationMs: env.get('KEY_ROTATION'),

  /**
   * How long a key is published before it signs: the time that verifiers keep the document
   * (`documentSeconds`) and processes their keys (`freshMs`), with a margin for clocks.
   */
  publishedBeforeMs: 600_000,

  /** `max-age` of the document of public keys. */
  documentSeconds: 300,

  /** How old the keys in memory of a process may be: a revoked key signs no longer than that. */
  freshMs: 10_000,

  /** The least time between two looks for an unknown key: a stranger can invent any number of them. */
  reloadPauseMs: 1_000,

  /** What a process reserves ahead, so that it writes the end of a key's tokens this seldom. */
  reservationMs: 10_000,
}
