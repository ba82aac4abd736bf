export default {
  /** Mails for clients without an account, per address and per recipient: mail flooding. */
  mailAddress: { limit: 20, windowMs: 3_600_000 },
  mailRecipient: { limit: 5, windowMs: 3_600_000 },

  /** Mails of other kinds must not use up what the owner of a mailbox waits for. */
  mailBudget: { limit: 2, windowMs: 1_800_000 },

  /** Per user and per address: five users have to work together before a sixth gets no link. */
  mailSender: { limit: 2, windowMs: 3_600_000 },
  mailSenders: { limit: 10, windowMs: 3_600_000 },

  /** Per recipient: resets and invitations that an administrator or the leaked key of one sends. */
  adminMails: { limit: 20, windowMs: 3_600_000 },

  /** Per administrator: each retry of a failed mail writes an event and asks the server again. */
  mailRetries: { limit: 600, windowMs: 3_600_000 },

  /** A higher limit, so that a thief cannot hide the last change behind the first ones. */
  mailPreviousAddress: { limit: 20, windowMs: 3_600_000 },
}
