export default {
  /** A list is read into memory: a request without a page, as in the first API, gets 1,000 rows. */
  clientPage: 100,
  clientList: 1_000,

  /** API keys and applications register no more: tenants need thousands, others need hundreds. */
  delegatedClients: 10_000,

  /** Per API key or application: each registration stores a row, and each change an event. */
  clientChanges: { limit: 600, windowMs: 3_600_000 },

  /** A logo is decoded, and each consent page loads it. */
  clientLogoBytes: 1_048_576,

  /** Per address: an authorization that is stored writes a row before any sign-in. */
  authorization: { limit: 600, windowMs: 60_000 },

  /** A longer request is stored: the form repeats one in `next`, which cookies of other steps hold. */
  repeatedRequest: 1_500,

  /** Many addresses must not fill the disk, and one address must not displace all others. */
  openAuthorizations: 20_000,

  /** Reads of documents per address and host: this server must not flood a victim with requests. */
  clientDocument: { limit: 30, windowMs: 60_000 },
  clientDocumentShare: { limit: 10, windowMs: 60_000 },
  clientDocumentHost: { limit: 30, windowMs: 60_000 },

  /** The draft of client metadata documents recommends 5 KB (section 6.6). */
  clientDocumentSize: { limit: 5_120, deadlineMs: 5_000 },

  /** The key set of a client, at `jwksUri`; an attacker can invent key ids. */
  clientKeySet: { limit: 65_536, deadlineMs: 3_000 },

  /** Per client: each assertion stores a row until it expires, an hour at most. */
  clientAssertions: { limit: 30_000, windowMs: 600_000 },

  /** Slow servers hold each read until its deadline. */
  clientDocumentsAtOnce: 5,
  clientDocumentReads: 15,
  consentedDocumentReads: 20,

  /** Documents without a consent, and all documents: a user can consent to any number. */
  clientDocuments: 1_000,
  allClientDocuments: 10_000,

  /** Wrong secrets per address and client: guesses must not stop the application at its address. */
  clientSecret: { limit: 20, windowMs: 600_000 },
  clientSecrets: { limit: 200, windowMs: 600_000 },

  /**
   * Wrong secrets per address, for all clients with a secret hash from another product: each check
   * takes up to 500 ms of a core. One check runs at a time, and up to `secretQueue` others wait.
   */
  hashedSecrets: { limit: 60, windowMs: 600_000 },
  secretQueue: 20,

  /**
   * Refusals that a page lists, for each client and kind of caller. An outsider can cause any
   * number: in a second, at most `clients` clients are counted, and each log line waits `logMs`.
   */
  refusals: {
    limit: 10,
    sent: 200,
    keptMs: 86_400_000,
    pauseMs: 1_000,
    clients: 1_000,
    logMs: 60_000,
    logWindows: 5_000,
    requestIds: 20,
  },

  /** Log lines: an outsider can invent any number of ids. */
  unknownClients: { limit: 20, windowMs: 3_600_000 },

  /** The owner of a client must not store an unlimited number of addresses. */
  clientAddresses: { limit: 1_000, lifetimeMs: 30 * 86_400_000 },

  /** Each previous refresh token stays, because its reuse shows a theft. */
  rotation: { limit: 120, windowMs: 3_600_000 },

  /** Per session: each refresh, and each proof of possession, stores a row for some minutes. */
  refresh: { limit: 10_000, windowMs: 900_000 },
  userinfoProof: { limit: 600, windowMs: 60_000 },

  /** Per session, or per client without a session: a proof for new tokens is kept ten minutes. */
  tokenProof: { limit: 30_000, windowMs: 600_000 },

  /** Each session with an application writes two events and sends a message; an addition writes one. */
  newGrant: { limit: 300, windowMs: 900_000 },

  /** Per user: codes that lead to a refresh token, whose row stays for a month. */
  authorizationCode: { limit: 600, windowMs: 900_000 },

  /** Per user: other codes. Pages renew their sign-in often, and a row stays for some minutes. */
  renewalCode: { limit: 30_000, windowMs: 900_000 },

  serviceSession: { limit: 300, windowMs: 900_000 },

  /** Per session: each revocation writes an event, and the next one reads all of them. */
  revocation: { limit: 300, windowMs: 900_000 },

  /** A device asks every five seconds (RFC 8628, section 3.2); a network may shorten the pause. */
  devicePoll: { limit: 1, windowMs: 4_000 },
}
