/** What applications, known ones and others, start and ask for. */
export default {
  /** Authorizations that clients start and resume, per address: each writes a row before any sign-in. */
  authorization: { limit: 600, windowMs: 60_000 },

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
}
