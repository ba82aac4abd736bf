import env from '#start/env'

/** Guessing of passwords, codes and tokens, and the work that each try costs. */
export default {
  /** Logins per address and e-mail, or per address alone (`LOGIN_THROTTLE_KEY`): online guessing. */
  login: {
    limit: env.get('LOGIN_THROTTLE_LIMIT'),
    windowMs: env.get('LOGIN_THROTTLE_WINDOW'),
    key: env.get('LOGIN_THROTTLE_KEY'),
  },

  /** Attempts that wait for a store that is late, to be returned to it: a flood would fill the memory. */
  lateReturns: 1_000,

  /** Logins per address, whatever the e-mail: password spraying, one password on many users. */
  loginAddress: { limit: env.get('LOGIN_IP_LIMIT'), windowMs: 60_000 },

  /** Events of failed sign-ins per address, each of which stays in the trail. */
  failureEvents: { limit: 300, windowMs: 3_600_000 },

  /** Registrations per address: mass creation of users. */
  register: { limit: env.get('REGISTER_IP_LIMIT'), windowMs: 3_600_000 },

  /** Wrong current passwords per user: the thief of a session must not guess the password. */
  currentPassword: { limit: 5, windowMs: 900_000 },

  /** Current passwords per user, right ones included: each takes a slot of the hash queue. */
  passwordCheck: { limit: 30, windowMs: 900_000 },

  /** Wrong multi-factor codes per user within a session: a code has six digits and can be guessed. */
  code: { limit: 5, windowMs: 900_000 },

  /** Hashes that wait; further ones are refused with 503 at once instead of seconds later. */
  hashQueue: env.get('HASH_QUEUE_LIMIT'),

  /** Bytes of the response of an authenticator: keys and statements are parsed from it. */
  passkeyResponse: 16_384,

  /** Bytes of one response of an external provider, which is held in memory. */
  providerResponse: 512 * 1_024,

  /** Redemptions of one-time tokens per address: guessing of tokens. */
  redeem: { limit: 30, windowMs: 900_000 },

  /** Wrong passwords of the documentation per address; one page sends four right ones in parallel. */
  documentation: { limit: 20, windowMs: 900_000 },
}
