/** How large a client may be: lists, searches and signatures read these. */
export default {
  /** Characters of the addresses that a search looks at: a list of clients searches all of them. */
  clientSearchedText: 256,

  clientUris: 50,
  clientUri: 2_000,

  /** A page ends there as well: a list of large clients must not fill the memory. */
  clientListBytes: 4_194_304,

  /** Redirect addresses of a client, and those after a logout, together: each list reads them. */
  clientAddressBytes: 65_536,

  /** The audit log has more of no field, before a change and after it: it only grows. */
  auditedClientValue: 1_000,

  /** A rotation of keys needs a few; each signature may be tried with all of them. */
  clientKeys: 10,
  clientKeyBytes: 16_384,

  /** Objects and lists in one another; a key has one, of texts and lists of texts. */
  clientKeyDepth: 3,

  /** At `jwksUri`, which may serve other programs too: each key that is read is a computation. */
  remoteKeys: 100,

  /** Bits of a public exponent, 17 nearly always: a long one makes each signature take 100 times as long. */
  publicExponent: 32,

  /** Names and sources of a client together: who may change a group rests on the claims of all clients. */
  clientClaimBytes: 4_096,
}
