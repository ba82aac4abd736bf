import env from '#start/env'

/*
 | Limits on requests, each for a key and a fixed window. A limit of 0 switches it off.
 | They bound what a client may try; the lockout bounds what may be tried against a user.
 */
export default {
  /** Logins per address and e-mail, or per address alone (`LOGIN_THROTTLE_KEY`): online guessing. */
  login: { limit: env.get('LOGIN_THROTTLE_LIMIT'), windowMs: env.get('LOGIN_THROTTLE_WINDOW') },
  loginKey: env.get('LOGIN_THROTTLE_KEY'),

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

  /** New addresses per user: each mails two recipients, and a refusal tells that an address is taken. */
  addressChange: { limit: 10, windowMs: 3_600_000 },

  /** Changes of oneself: each writes an event, and on SQLite everybody's writes queue behind it. */
  profileChange: { limit: 30, windowMs: 900_000 },

  /** API keys that a user makes: each mails their owner, and revoked ones make room for more. */
  newApiKey: { limit: 200, windowMs: 3_600_000 },

  /** Pictures per user: decoding one is the most expensive request that a user can make. */
  upload: { limit: 100, windowMs: 3_600_000 },

  /** Exports of all data of a user: each reads every table. */
  profileExport: { limit: 10, windowMs: 3_600_000 },

  /** Wrong multi-factor codes per user within a session: a code has six digits and can be guessed. */
  code: { limit: 5, windowMs: 900_000 },

  /** Mails that an anonymous client asks for, per address and per recipient: mail flooding. */
  mailAddress: { limit: 20, windowMs: 3_600_000 },
  mailRecipient: { limit: 5, windowMs: 3_600_000 },

  /**
   * Mails of one kind that a recipient gets beyond `mailRecipient`: mails of other kinds must
   * not use up what the owner of the mailbox waits for. The window is the life of a reset link,
   * so that one works in the mailbox whenever another reset mail is dropped.
   */
  mailBudget: { limit: 2, windowMs: 1_800_000 },

  /**
   * Confirmations of a new address: of one user, and of all who say that it is theirs. Five
   * users have to work together before a sixth gets no link.
   */
  mailSender: { limit: 2, windowMs: 3_600_000 },
  mailSenders: { limit: 10, windowMs: 3_600_000 },

  /** News of an account to its former address: more, so that no first ones hide the last. */
  mailFormerAddress: { limit: 20, windowMs: 3_600_000 },

  /** Redemptions of one-time tokens per address: guessing of tokens. */
  redeem: { limit: 30, windowMs: 900_000 },

  /** Authorizations that clients start, per address: each writes a row, and nobody has signed in yet. */
  authorization: { limit: 600, windowMs: 60_000 },

  /**
   * Client metadata documents that are read for an address, and of a host: a stranger must not
   * have this server send requests without end, nor send them all to one victim.
   */
  clientDocument: { limit: 30, windowMs: 60_000 },
  clientDocumentHost: { limit: 30, windowMs: 60_000 },

  /** Refresh tokens of a public client in one session: each former one stays, to know its reuse by. */
  rotation: { limit: 120, windowMs: 3_600_000 },

  /** Wrong passwords of the documentation per address; one page sends four right ones in parallel. */
  documentation: { limit: 20, windowMs: 900_000 },
}
