import { issuer } from '#config/app'
import signingKeys from '#config/signing_keys'

const OWN = new Set([signingKeys.audience, signingKeys.clientAudience, issuer])

/** Of tokens of our own sign-in: a client of that name could ask about each of them. */
export const isOwnAudience = (audience: string) => OWN.has(audience)
