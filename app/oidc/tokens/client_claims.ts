import type { Context } from 'oidc-provider'
import { readsGroups, type ClaimSubject } from '#auth/claims/claim_sources'
import { readClaims } from '#auth/claims/read_claims'
import { groupNamesOf } from '#groups/names_of'
import { parseMetadata } from '#models/metadata'
import { coveredClaims } from '#oidc/clients/claims'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import type User from '#models/user'
import type { OwnMetadata } from '#oidc/clients/metadata'

/** The library passes on only claims that it knows; `patches/client_claims.ts` adds these. */
export const CLIENT_CLAIMS = Symbol('claims of the client')

type Claiming = Pick<OwnMetadata, 'kind' | 'scopes' | 'claims'>

/** Returns the claims that the client's field `claims` adds for this user. */
export async function readClientClaims(client: Claiming, user: User, granted: string[]) {
  const sources = coveredClaims(client, granted)
  const groups = readsGroups(sources) ? await groupNamesOf(user) : []
  return readClaims(sources, subjectOf(user, groups))
}

function subjectOf(user: User, groups: string[]): ClaimSubject {
  const { id, mailbox: email, username, nickname, role } = user
  return {
    id,
    email,
    username,
    nickname,
    role,
    groups,
    appMetadata: parseMetadata(user.appMetadata),
  }
}

/** Lists claims that are too long on the client's page. */
export async function clientClaims({ req, oidc }: Context, user: User, granted: string[]) {
  const { clientId, gatehouse } = oidc.client
  const { claims, omitted } = await readClientClaims(gatehouse, user, granted)
  for (const sent of omitted)
    recordRefusal(req, { clientId, reason: 'claim', sent, isTrusted: () => true })
  return claims
}
