import env from '#start/env'

/*
 | Limits on requests, each per key and fixed window. A limit of 0 switches it off. They
 | bound what a caller may try; the lockout bounds what may be tried against a user.
 */
export default {
  /** Logins per address and e-mail, or per address alone (`LOGIN_THROTTLE_KEY`). */
  login: { limit: env.get('LOGIN_THROTTLE_LIMIT'), windowMs: env.get('LOGIN_THROTTLE_WINDOW') },
  loginKey: env.get('LOGIN_THROTTLE_KEY'),

  /** Logins per address, whatever the e-mail: one host trying one password on many users. */
  loginAddress: { limit: env.get('LOGIN_IP_LIMIT'), windowMs: 60_000 },

  /** Registrations per address. */
  register: { limit: env.get('REGISTER_IP_LIMIT'), windowMs: 3_600_000 },

  /** Wrong current passwords per user: a stolen session must not become an oracle. */
  currentPassword: { limit: 5, windowMs: 900_000 },

  /** Current passwords per user, right ones included: each takes a place in the hashing queue. */
  passwordCheck: { limit: 30, windowMs: 900_000 },

  /** New addresses per user: each change mails two people, and its refusal tells that one is taken. */
  addressChange: { limit: 10, windowMs: 3_600_000 },

  /** Pictures per user: receiving and decoding one costs more than anything else they may do. */
  upload: { limit: 100, windowMs: 3_600_000 },

  /** Exports of everything about a user. */
  profileExport: { limit: 10, windowMs: 3_600_000 },

  /** Wrong multi-factor codes per user, where no login is under way. */
  code: { limit: 5, windowMs: 900_000 },

  /** Mails that anybody may ask for, per address and per recipient: nobody's mailbox is flooded. */
  mailAddress: { limit: 20, windowMs: 3_600_000 },
  mailRecipient: { limit: 5, windowMs: 3_600_000 },

  /** Redemptions of one-time tokens per address. */
  redeem: { limit: 30, windowMs: 900_000 },

  /** Wrong passwords of the documentation per address; a page in parallel sends four right ones. */
  documentation: { limit: 20, windowMs: 900_000 },
}
