import env from '#start/env'
import { appUrl } from '#config/app'
import tokens from '#config/tokens'

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

  /** For how long the former secret of a client is good after a rotation. */
  formerSecretMs: 86_400_000,
}
