/** Sizes of what is read: longer values are refused, or cut where the line says so. */
export default {
  /** Bytes of a body of JSON or of a form, which is held in memory. */
  bodyBytes: 65_536,

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
}
