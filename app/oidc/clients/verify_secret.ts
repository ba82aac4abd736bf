import limits from '#config/limits'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { clear, countWithin, reserve, uncount } from '#auth/lockout/rate_limit'
import { lastAuthentication, rememberAddress, type ClientAddress } from './client_addresses.ts'
import { keyOfPair, readSecretEvidence, type SecretEvidence } from './secret_evidence.ts'
import { findDigested, isBehindDigest } from './secret_digests.ts'
import { isSecretOf, type Secrets } from './secrets.ts'
import { hasTurns, inTurn } from './turns.ts'
import type { RequestSource } from '#auth/sessions/device'

/*
 | Wrong secrets count for the client and address, and together for addresses that never succeeded.
 | The limits come first: a refusal must not tell whether the secret is right.
 */

export interface PresentedSecret {
  /**
   * Null for an unknown id, which takes the same steps: an attacker must not learn which ids exist.
   */
  client: { clientId: string; secrets: Secrets } | null
  candidates: string[]
  from: RequestSource
  /** Read by this request for the id and the address. */
  evidence?: SecretEvidence
}

/** Unknown ids are counted together: each would store a row. */
const UNKNOWN = ':unknown'

const NONE: Secrets = {
  secretHash: null,
  previousSecretHash: null,
  previousSecretUntil: null,
  secretDigest: null,
}

/**
 * A right secret of a known address without failures costs no write. From the first wrong secret on,
 * the attempts of an address take turns, so that parallel guesses share one bound. A secret of another
 * product may be weak enough to be guessed, so that its attempts always do.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function verifySecret({ client, candidates, from, evidence }: PresentedSecret) {
  const address = { clientId: client?.clientId ?? UNKNOWN, ip: from.ip }
  const [pair, secrets] = [keyOfPair(address), client?.secrets ?? NONE]
  const isRight = async () =>
    candidates.some((secret) => isSecretOf(secrets, secret)) ||
    findDigested(address.clientId, secrets, candidates)
  const isOfPair = evidence?.clientId === address.clientId && evidence.ip === from.ip
  const known = isOfPair ? evidence : await readSecretEvidence(address)
  if (isUndoubted(known) && !isBehindDigest(secrets) && (await isRight())) {
    await rememberAddress(address, known.last)
    return true
  }
  /** As many steps as for an unknown id. */
  if (isOfPair) await readSecretEvidence(address)
  await countWithin(pair, limits.clientSecret)
  return inTurn(pair, () => attempt(address, { isRight, from }))
}

/** The address is known and has no failures: a right secret passes without a count. */
export function isUndoubted({ wrong, last, ...address }: SecretEvidence) {
  return wrong === 0 && last !== null && !hasTurns(keyOfPair(address))
}

/** Reserved before the comparison, and returned after a right secret. */
async function attempt(
  address: ClientAddress,
  { isRight, from }: { isRight: () => Promise<boolean>; from: RequestSource }
) {
  const last = await lastAuthentication(address)
  const giveBack = await reserveAttempt(address, { isFirst: last === null })
  /** Of an attempt that a full hash queue refused nothing was learnt. */
  const isGood = await isRight().catch(async (error) => {
    await giveBack()
    throw error
  })
  if (isGood) {
    await giveBack()
    await rememberAddress(address, last)
    return true
  }
  const { clientId } = address
  const actor = anonymousActor(from)
  const event = { type: 'client.secret_incorrect', user: null, actor } as const
  await recordCoalesced({ ...event, outcome: 'failure', details: { clientId } }, [clientId])
  return false
}

/** The limit of the pair comes first, so that one address cannot use up the common limit. */
async function reserveAttempt(address: ClientAddress, { isFirst }: { isFirst: boolean }) {
  const [pair, all] = [keyOfPair(address), keyOf(address.clientId)]
  await countWithin(pair, limits.clientSecret)
  if (isFirst) await countWithin(all, limits.clientSecrets)
  await reserve(pair, limits.clientSecret)
  if (isFirst) await reserve(all, limits.clientSecrets)
  return async () => {
    await uncount(pair, limits.clientSecret)
    if (isFirst) await uncount(all, limits.clientSecrets)
  }
}

/** Tests of unknown ids come from one address. */
export function clearUnknownClients(ip: string) {
  return clear(keyOfPair({ clientId: UNKNOWN, ip }), limits.clientSecret)
}

function keyOf(clientId: string) {
  return `client-secrets:{${clientId}}`
}
