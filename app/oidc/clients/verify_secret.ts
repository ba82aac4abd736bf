import limits from '#config/limits'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { hashAddress } from '#auth/lockout/count_keys'
import { clear, getCountOrFail, reserve, release, type RateLimit } from '#auth/lockout/rate_limit'
import { lastAuthentication, rememberAddress, type ClientAddress } from './client_addresses.ts'
import { keyOfPair, readSecretEvidence, type SecretEvidence } from './secret_evidence.ts'
import { verifyDigest, hasOnlyDigest } from './secret_digests.ts'
import { isSecretOf, type Secrets } from './secrets.ts'
import { isRunning, runExclusive } from './run_exclusive.ts'
import type { RequestSource } from '#auth/sessions/device'

/*
 | Wrong secrets are counted per client and address, and together for addresses without a success.
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
 * product may be weak enough to be guessed: its attempts always take turns. They share the turns of
 * their address: one address must not occupy the queue of such hashes.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function verifySecret({ client, candidates, from, evidence }: PresentedSecret) {
  const address = { clientId: client?.clientId ?? UNKNOWN, ip: from.ip }
  const [pair, secrets] = [keyOfPair(address), client?.secrets ?? NONE]
  const isRight = async () =>
    candidates.some((secret) => isSecretOf(secrets, secret)) ||
    verifyDigest(address.clientId, secrets, candidates)
  const isOfPair = evidence?.clientId === address.clientId && evidence.ip === from.ip
  const known = isOfPair ? evidence : await readSecretEvidence(address)
  if (isTrustedAddress(known) && !hasOnlyDigest(secrets) && (await isRight())) {
    await rememberAddress(address, known.last)
    return true
  }
  /** Takes as many steps as for an unknown id. */
  if (isOfPair) await readSecretEvidence(address)
  await getCountOrFail(pair, limits.clientSecret)
  const isHashed = hasOnlyDigest(secrets)
  const turn = isHashed ? keyOfHashed(from.ip) : pair
  return runExclusive(turn, () => attempt(address, { isHashed, isRight, from }))
}

/** The address is known and has no failures: a right secret passes without a count. */
export function isTrustedAddress({ wrong, last, ...address }: SecretEvidence) {
  return wrong === 0 && last !== null && !isRunning(keyOfPair(address))
}

interface Attempt {
  /** The hash was made by another product. */
  isHashed: boolean
  isRight: () => Promise<boolean>
  from: RequestSource
}

/** Reserves a count before the comparison, and returns it after a right secret. */
async function attempt(address: ClientAddress, { isHashed, isRight, from }: Attempt) {
  const last = await lastAuthentication(address)
  const giveBack = await reserveAttempt(countsOf(address, { isHashed, isFirst: last === null }))
  /** An attempt that a full hash queue refused has revealed nothing. */
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

type Count = [key: string, limit: RateLimit]

/** Limits of the address come first, so that it cannot use up the common limit. */
function countsOf(
  address: ClientAddress,
  { isHashed, isFirst }: { isHashed: boolean; isFirst: boolean }
) {
  const ofPair: Count = [keyOfPair(address), limits.clientSecret]
  if (!isFirst) return [ofPair]
  const ofHashed: Count = [keyOfHashed(address.ip), limits.hashedSecrets]
  const ofAll: Count = [keyOf(address.clientId), limits.clientSecrets]
  return isHashed ? [ofPair, ofHashed, ofAll] : [ofPair, ofAll]
}

async function reserveAttempt(counts: Count[]) {
  for (const [key, limit] of counts) await getCountOrFail(key, limit)
  for (const [key, limit] of counts) await reserve(key, limit)
  return async () => {
    for (const [key, limit] of counts) await release(key, limit)
  }
}

/** Tests of unknown ids come from one address. */
export function clearUnknownClients(ip: string) {
  return clear(keyOfPair({ clientId: UNKNOWN, ip }), limits.clientSecret)
}

function keyOf(clientId: string) {
  return `client-secrets:{${clientId}}`
}

function keyOfHashed(ip: string) {
  return `hashed-secrets:${hashAddress(ip)}`
}
