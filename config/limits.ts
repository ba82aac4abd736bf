import env from '#start/env'

/*
 | What somebody without an account, a user or an application can store, queue, record, delay
 | or make the product compute: one number for each, and the attack that it stops. A limit with
 | a window counts requests for a key; 0 switches it off.
 */
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

  /** Hashes that wait; further ones are refused with 503 at once instead of seconds later. */
  hashQueue: env.get('HASH_QUEUE_LIMIT'),

  /** Bytes of a body of JSON or of a form, which is held in memory. */
  bodyBytes: 65_536,

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

  /** Characters of a `User-Agent` that are stored, however long the header is. */
  userAgent: 512,

  /** Characters of `x-device-id`, which is stored, listed and logged. */
  deviceId: 128,

  /** Characters of an e-mail address: a path of 256 with its brackets (RFC 5321, section 4.5.3.1.3). */
  email: 254,

  /** Characters of a name that other users see: of a user, a key, a passkey, a client. */
  displayName: 100,

  /** Code points of a new password, and characters of one to compare: imported ones may be long. */
  newPassword: 128,
  givenPassword: 1_024,

  /** Characters of tokens and codes, which are looked up by their hash. */
  oneTimeToken: 256,
  refreshToken: 4_096,
  mfaCode: 64,
  mfaSecret: 128,

  /** Characters of a search, each of whose trigrams a database looks for. */
  search: 254,

  /** Characters of a cursor: that of a name of 100 characters takes 400 bytes in UTF-8. */
  cursor: 1_024,

  /** Characters of the reason for which a user is disabled or locked. */
  reason: 500,

  /** Redirect URIs of a client, as many for after a logout, and characters of each. */
  clientUris: 50,
  clientUri: 2_000,

  /** Bytes of the response of an authenticator: keys and statements are parsed from it. */
  passkeyResponse: 16_384,

  /** Bytes of one response of an external provider, which is held in memory. */
  providerResponse: 512 * 1_024,

  /** Redemptions of one-time tokens per address: guessing of tokens. */
  redeem: { limit: 30, windowMs: 900_000 },

  /** Authorizations that clients start and resume, per address: each writes a row before any sign-in. */
  authorization: { limit: 600, windowMs: 60_000 },

  /** Bytes of a stored authorization, code or token: a client id is public, and fills the disk otherwise. */
  authorizationBytes: 4_096,

  /** Services that one request names: a consent stores a row for each scope at each. */
  resources: 10,

  /** Services that a user allowed a client, and clients that they allowed anything; older ones ask again. */
  consentedServices: 50,
  consents: 500,

  /** Characters of the name of one, and of a client id: what their columns have room for. */
  resource: 255,
  clientId: 255,

  /** Characters of a posted request: `location` has to hold it, and proxies take headers of 8 KB. */
  postedRequest: 7_000,

  /** Characters of a parameter of a logout, some of which the page sends back. */
  logoutParameter: 8_192,

  /**
   * Interactions, and as many pushed requests and codes of devices, that wait at once; the oldest
   * go. Addresses without number must not fill the disk, and one address, which can start
   * 18,000 in the half hour of an interaction, must not displace all others.
   */
  openAuthorizations: 20_000,

  /**
   * Client metadata documents that are read for an address, of one host for an address, and of a
   * host: this server must not send requests without end, nor send them all to one victim. The
   * share of an address keeps it from using up a host for everybody. Documents that a user here
   * has consented to are counted apart, so that no others keep them away.
   */
  clientDocument: { limit: 30, windowMs: 60_000 },
  clientDocumentShare: { limit: 10, windowMs: 60_000 },
  clientDocumentHost: { limit: 30, windowMs: 60_000 },

  /** Bytes of a document, of which the draft recommends 5 KB (section 6.6), and milliseconds of its reading. */
  clientDocumentSize: { limit: 5_120, deadlineMs: 5_000 },

  /**
   * Documents that are read at once for an address, for all addresses, and for all where a user
   * here has consented: slow servers hold each until its deadline.
   */
  clientDocumentsAtOnce: 5,
  clientDocumentReads: 15,
  consentedDocumentReads: 20,

  /** Documents that are kept without a consent, and in all: a user can consent to any number. */
  clientDocuments: 1_000,
  allClientDocuments: 10_000,

  /**
   * Wrong secrets of a client from an address, and of a client from all addresses at which it
   * never authenticated: guessing. An application goes on at its own address meanwhile.
   */
  clientSecret: { limit: 20, windowMs: 600_000 },
  clientSecrets: { limit: 200, windowMs: 600_000 },

  /** Addresses that are kept of a client: the owner of one must not store rows without end. */
  clientAddresses: { limit: 1_000, lifetimeMs: 30 * 86_400_000 },

  /** Refresh tokens of a public client in one session: each former one stays, to know its reuse by. */
  rotation: { limit: 120, windowMs: 3_600_000 },

  /**
   * Refreshes of a session by any other client, and proofs of possession for its user's claims:
   * each stores a row for some minutes, as fast as the client asks.
   */
  refresh: { limit: 10_000, windowMs: 900_000 },
  userinfoProof: { limit: 600, windowMs: 60_000 },

  /**
   * Sessions with applications that a user starts in browsers: each writes an event, and its
   * end another one and a message to the application.
   */
  newGrant: { limit: 300, windowMs: 900_000 },

  /** The same of an application for its service account, which may end its session and start another. */
  serviceSession: { limit: 300, windowMs: 900_000 },

  /** Access tokens that are revoked in a session: each writes an event, and all are read for the next. */
  revocation: { limit: 300, windowMs: 900_000 },

  /** Questions of a device per code: five seconds apart (RFC 8628, section 3.2), less what a network delays. */
  devicePoll: { limit: 1, windowMs: 4_000 },

  /** Wrong passwords of the documentation per address; one page sends four right ones in parallel. */
  documentation: { limit: 20, windowMs: 900_000 },
}
