import limits from '#config/limits'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { hashAddress } from '#auth/lockout/count_keys'
import { assertWithin, consume } from '#auth/lockout/rate_limit'
import { lastAuthentication, rememberAddress, type ClientAddress } from './client_addresses.ts'
import { isSecretOf, type Secrets } from './secrets.ts'
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
}

/** Unknown ids are counted together: each would store a row. */
const UNKNOWN = 'unknown'

/** @throws E_TOO_MANY_REQUESTS */
export async function verifySecret({ client, candidates, from }: PresentedSecret) {
  const address = { clientId: client?.clientId ?? UNKNOWN, ip: from.ip }
  const last = await lastAuthentication(address)
  const isFirst = last === null
  if (isFirst) await assertWithin(keyOf(address.clientId), limits.clientSecrets)
  const isRight = candidates.some((secret) => isSecretOf(client?.secrets ?? NONE, secret))
  if (isRight) await acceptSecret(address, last)
  else await refuseSecret(address, { isFirst, from })
  return isRight
}

const NONE: Secrets = { secretHash: null, previousSecretHash: null, previousSecretUntil: null }

async function acceptSecret(address: ClientAddress, last: number | null) {
  await assertWithin(keyOfPair(address), limits.clientSecret)
  await rememberAddress(address, last)
}

/** The limit of the pair comes first, so that one address cannot use up the common limit. */
async function refuseSecret(
  address: ClientAddress,
  { isFirst, from }: { isFirst: boolean; from: RequestSource }
) {
  const { clientId } = address
  await consume(keyOfPair(address), limits.clientSecret)
  if (isFirst) await consume(keyOf(clientId), limits.clientSecrets)
  const actor = anonymousActor(from)
  const event = { type: 'client.secret_incorrect', user: null, actor } as const
  await recordCoalesced({ ...event, outcome: 'failure', details: { clientId } }, [clientId])
}

function keyOf(clientId: string) {
  return `client-secrets:{${clientId}}`
}

function keyOfPair({ clientId, ip }: ClientAddress) {
  return `client-secret:{${clientId}}:${hashAddress(ip)}`
}
