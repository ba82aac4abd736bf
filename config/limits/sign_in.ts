import env from '#start/env'

export default {
  /** Per address and e-mail, or only per address (`LOGIN_THROTTLE_KEY`): online guessing. */
  login: {
    limit: env.get('LOGIN_THROTTLE_LIMIT'),
    windowMs: env.get('LOGIN_THROTTLE_WINDOW'),
    key: env.get('LOGIN_THROTTLE_KEY'),
  },

  /** Attempts that wait for a late store: a flood would fill the memory. */
  lateReturns: 1_000,

  /** Per address: password spraying, one password on many users. */
  loginAddress: { limit: env.get('LOGIN_IP_LIMIT'), windowMs: 60_000 },

  /** Per address: each failed sign-in leaves an event in the trail. */
  failureEvents: { limit: 300, windowMs: 3_600_000 },

  /** Per address: mass creation of users. */
  register: { limit: env.get('REGISTER_IP_LIMIT'), windowMs: 3_600_000 },

  /** Wrong passwords per user: the thief of a session must not guess the password. */
  currentPassword: { limit: 5, windowMs: 900_000 },

  /** Right passwords also count, because each takes a slot of the hash queue. */
  passwordCheck: { limit: 30, windowMs: 900_000 },

  /** Wrong codes per user and session: a code of six digits can be guessed. */
  code: { limit: 5, windowMs: 900_000 },

  /** Wrong codes for one sign-in whose password was right. */
  challengeTries: 5,

  /** An attacker could otherwise go on guessing after each lock. */
  wrongCodesInARow: 20,

  /** Hashes that wait: a flood is refused immediately, with 503. */
  hashQueue: env.get('HASH_QUEUE_LIMIT'),

  /** Answers of authenticators and providers are held in memory: a long answer would fill it. */
  passkeyResponse: 16_384,

  providerResponse: 512 * 1_024,

  /** Cookies of logins that wait at a provider: other sites can start them, and headers have 16 KB. */
  pendingLoginBytes: 4_096,

  /** Names of groups that a provider sends: a sign-in looks up each of them. */
  claimedGroups: 1_000,

  /** Per address: guessing of one-time tokens. */
  redeem: { limit: 30, windowMs: 900_000 },

  /** Wrong passwords per address: guessing. One page sends four right passwords in parallel. */
  documentation: { limit: 20, windowMs: 900_000 },
}
