import { invalidField } from '#exceptions/http_errors'
import { parseSource, type ClaimSource, type ClaimSources } from '#auth/claims/claim_sources'
import type { OAuthClient } from './client.ts'

type Claiming = Pick<OAuthClient, 'kind' | 'scopes' | 'claims'>

const FIRST_PARTY = 'first_party'

/** The scope that a third party must have asked the user for; a first party asks for nothing. */
const SCOPES: Record<string, string | null> = {
  id: null,
  email: 'email',
  username: 'profile',
  nickname: 'profile',
  role: FIRST_PARTY,
  groups: 'groups',
  appMetadata: FIRST_PARTY,
  text: null,
}

function neededFor(source: ClaimSource) {
  return SCOPES[source.type === 'field' ? source.field : source.type]
}

/** @throws E_VALIDATION_ERROR */
export function assertClaims({ kind, scopes, claims }: Claiming) {
  if (kind === 'first_party') return
  for (const [name, text] of Object.entries(claims)) {
    const needed = neededFor(parseSource(text)!)
    if (isCovered(needed, scopes)) continue
    const why = needed === FIRST_PARTY ? 'is for first-party clients' : `needs the scope ${needed}`
    throw invalidField('claims', 'claimScope', `The source of the claim ${name} ${why}`)
  }
}

function isCovered(needed: string | null, scopes: readonly string[]) {
  return needed === null || scopes.includes(needed)
}

/** @param granted scopes of the token */
export function coveredClaims({ kind, claims }: Claiming, granted: string[]): ClaimSources {
  if (kind === 'first_party') return claims
  const covered = Object.entries(claims).filter(([, text]) => {
    const source = parseSource(text)
    return source && isCovered(neededFor(source), granted)
  })
  return Object.fromEntries(covered)
}

/**
 * A first party receives its claims for any requested scopes: its user could leave a scope out of
 * the request.
 */
export function sendsAddress(client: Claiming, granted: string[]) {
  if (granted.includes('email')) return true
  return Object.values(coveredClaims(client, granted)).includes('email')
}
