/** The product refuses longer values: it holds them in memory, stores them or computes with them. */
export default {
  bodyBytes: 65_536,

  userAgent: 512,

  deviceId: 128,

  /** Libraries need time quadratic in the length to read `Accept` and the forwarded host. */
  comparedHeader: 1_000,

  /** RFC 5321, section 4.5.3.1.3: a path has 256 characters with its brackets. */
  email: 254,

  displayName: 100,

  groupName: 128,

  /** Code points of a new password; characters of one to compare, because imported ones may be long. */
  newPassword: 128,
  givenPassword: 1_024,

  oneTimeToken: 256,
  refreshToken: 4_096,
  accessToken: 8_192,
  mfaCode: 64,
  mfaSecret: 128,

  /** A database searches for each trigram of a search text. */
  search: 254,

  cursor: 1_024,

  reason: 500,

  settingText: 4_096,
  brandLogoBytes: 262_144,

  /** Each record that is read contains both objects; a deep object would need deep recursion. */
  metadataBytes: 8_192,
  metadataDepth: 5,

  /** Users would no longer remember a longer session. */
  refreshTokenDays: 366,

  /** A client id is public, so an attacker could fill the disk with authorizations. */
  authorizationBytes: 4_096,

  /** A consent stores a row for each scope at each service. */
  resources: 10,

  consentedServices: 50,
  consents: 500,

  /** An address, percent-encoded in a URI; and a list that each request compares. */
  webfingerText: 1_024,
  webfingerRelations: 20,

  resource: 255,

  /** The parameter is read before the user is known, and stored with the code. */
  claimsParameter: 2_048,
  clientId: 255,

  /** The `location` header has to hold a posted request, and proxies accept headers of 8 KB. */
  postedRequest: 7_000,

  logoutParameter: 8_192,

  /** Claims that an administrator adds to tokens, which each request of an application carries. */
  clientClaims: 20,

  allowedGroups: 100,
  claimSource: 1_024,
  claimText: 256,
  claimList: 100,
  claimBytes: 4_096,
  cookieClaimBytes: 2_048,
}
