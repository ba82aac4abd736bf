/** How large a client may be: lists, searches and signatures read these values. */
export default {
  /** Characters of the addresses that a search reads: a list of clients searches all clients. */
  clientSearchedText: 256,

  clientUris: 50,
  clientUri: 2_000,

  /** A page also ends at this size: a list of large clients must not fill the memory. */
  clientListBytes: 4_194_304,

  /** Redirect addresses and post-logout addresses of a client together: each list reads them. */
  clientAddressBytes: 65_536,

  /** The audit log only grows: it stores at most this much of a field before or after a change. */
  auditedClientValue: 1_000,

  /** A rotation of keys needs a few; each signature may be tried with all of them. */
  clientKeys: 10,
  clientKeyBytes: 16_384,

  /** The depth of nested objects and lists: a key is one object of texts and lists of texts. */
  clientKeyDepth: 3,

  /** Keys at `jwksUri`, which may also serve other programs: reading a key takes a computation. */
  remoteKeys: 100,

  /** Bits of a public exponent, usually 17: a long one makes signatures take 100 times as long. */
  publicExponent: 32,

  /** Names and sources of a client's claims: group rights depend on the claims of all clients. */
  clientClaimBytes: 4_096,
}
