import { issuer } from '#config/app'
import signingKeys from '#config/signing_keys'

const OWN = new Set([signingKeys.audience, signingKeys.clientAudience, issuer])

/** Audiences of our own sign-in tokens: a client of such a name could ask about each of them. */
export const isOwnAudience = (audience: string) => OWN.has(audience)
