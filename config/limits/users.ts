/** What a user stores, mails and uploads. */
export default {
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

  /**
   * Former addresses that get them, the oldest first: that of the owner is older than those of a
   * thief, who could otherwise change the address until it is told no more.
   */
  formerAddresses: 3,

  /** Administrators who are told of one key of a service account. */
  keyMailRecipients: 20,

  /** Devices that a user is remembered on: a sign-in from ever new networks must not store rows without end. */
  knownDevices: 50,

  /** Sessions that a user has at once; the oldest ends when one more starts. */
  sessions: 50,

  /** API keys of a user, and passkeys, each of which is a way to sign in that its owner has to know of. */
  apiKeys: 50,
  passkeys: 10,

  /** Bytes of a picture that is uploaded, likewise, and of the rest of its form. */
  pictureBytes: 2 * 1_024 * 1_024,
  pictureFormBytes: 16_384,

  /** Pixels of a picture, read from its header: a small file can decode to gigabytes. */
  picturePixels: 16_000_000,

  /** Pictures in memory at once, and of one user: slow uploads must not occupy every slot. */
  pictureSlots: 16,
  userPictureSlots: 4,

  /** Uploads that wait for a slot, and of one user: each holds a connection. */
  waitingPictures: 64,
  userWaitingPictures: 12,
}
