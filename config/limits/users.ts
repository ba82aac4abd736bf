export default {
  /** Each new address mails two recipients, and a refusal reveals that an address is taken. */
  addressChange: { limit: 10, windowMs: 3_600_000 },

  /** Each change writes an event, and on SQLite all writes queue behind it. */
  profileChange: { limit: 30, windowMs: 900_000 },

  /** Per user: previous handles stay with their user, who could occupy many names. */
  handleChange: { limit: 5, windowMs: 86_400_000 },

  /** Each key mails its owner, and revoked keys make room for more. */
  newApiKey: { limit: 200, windowMs: 3_600_000 },

  /**
   * Per API key or application: each user stores rows, and takes a hash or mails an address that a
   * leaked key has invented.
   */
  addedUsers: { limit: 600, windowMs: 3_600_000 },

  /**
   * Per API key or application, other changes of users, groups and webhooks together: each writes an
   * event. A nightly synchronization may name each user. Each membership that changes counts.
   */
  delegatedChanges: { limit: 6_000, windowMs: 3_600_000 },

  /** Decoding a picture is the most expensive request of a user. */
  upload: { limit: 100, windowMs: 3_600_000 },

  /** Tests of a mail server or provider, per administrator: each calls a server that they typed. */
  settingsTest: { limit: 10, windowMs: 3_600_000 },

  /** Changes of settings and providers, per administrator: each mails all administrators. */
  settingsChanges: { limit: 300, windowMs: 3_600_000 },

  /** Administrators who are mailed about one change of settings. */
  settingsMailRecipients: 1_000,

  /** Each sign-in page lists all providers. */
  externalProviders: 20,

  /** Each export reads every table. */
  profileExport: { limit: 10, windowMs: 3_600_000 },

  /**
   * Wrong codes of one mail, all codes of a user, and wrong codes of a network (/24 or /48), which may
   * have made any number of users: six digits can be guessed. A neighbour may use up the limit of a
   * network, so its window is short; the link of the mail still works.
   */
  addressCodeTries: 5,
  addressCode: { limit: 20, windowMs: 86_400_000 },
  addressCodeNetwork: { limit: 25, windowMs: 21_600_000 },

  /** The oldest addresses get the mails, because an owner had an address before a thief. */
  previousAddresses: 3,

  keyMailRecipients: 20,

  /**
   * Anyone can ask for these links with only an address, and must not void the owner's link.
   * Within about an hour, twelve links can arise: ten by `mailRecipient` and two by `mailBudget`.
   */
  liveLinks: 12,

  /** An administrator cannot review more users on one page; commands select more. */
  bulkUsers: 10_000,

  /** Entries that numbered pages reach: a page reads all entries before it, and SQLite blocks. */
  pageDepth: 10_000,

  /** Sign-ins from ever new networks must not store an unlimited number of rows. */
  knownDevices: 50,

  /** Tokens carry the groups of a user, and each process keeps the names of all groups. */
  groupsOfUser: 100,
  groups: 10_000,

  /** At some providers, users name their own groups: sign-ins leave room for groups made here. */
  providedGroups: 9_000,

  /** A list is read into memory. */
  groupPage: 100,
  groupList: 1_000,

  /** Group names in one request, which may repeat the groups that the user has. */
  groupNames: 1_000,

  sessions: 50,

  /** An owner has to know of every way to sign in. */
  apiKeys: 50,
  passkeys: 10,
  identities: 20,

  pictureBytes: 2 * 1_024 * 1_024,
  pictureFormBytes: 16_384,

  /** The header states the number of pixels: a small file can decode to gigabytes. */
  picturePixels: 16_000_000,

  /** Slow uploads of one user must not occupy every slot. */
  pictureSlots: 16,
  userPictureSlots: 4,

  /** Each upload that waits holds a connection. */
  waitingPictures: 64,
  userWaitingPictures: 12,
}
