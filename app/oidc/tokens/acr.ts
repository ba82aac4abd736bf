import { errors } from 'oidc-provider'
import { hasTwoFactors } from '#auth/sessions/authentication'
import type { SessionRecord } from '#auth/store/contract'

/** One factor, and two (OpenID Connect Core, section 2). */
export const ACR_PASSWORD = 'urn:gatehouse:acr:pwd'
export const ACR_MFA = 'urn:gatehouse:acr:mfa'
export const ACR_VALUES = [ACR_PASSWORD, ACR_MFA]

export function acrOf(session: Pick<SessionRecord, 'method' | 'amr'>) {
  return hasTwoFactors(session) ? ACR_MFA : ACR_PASSWORD
}

/** Unknown classes are only wishes (OpenID Connect Core, section 5.5.1.1). */
export function satisfiesAcr(acr: string | undefined, requested = '') {
  const known = requested.split(' ').filter((value) => ACR_VALUES.includes(value))
  if (known.length === 0 || acr === ACR_MFA) return true
  return acr !== undefined && known.includes(acr)
}

interface AcrClaim {
  essential?: unknown
  value?: unknown
  values?: unknown
}

const valuesOf = ({ value = [], values = [] }: AcrClaim) => [value, values].flat()

/** @throws unmet_authentication_requirements for essential classes that are all unknown */
export function assertKnownAcr(claim?: AcrClaim | null) {
  if (!claim?.essential) return
  const values = valuesOf(claim)
  if (values.length === 0 || ACR_VALUES.some((known) => values.includes(known))) return
  throw new errors.UnmetAuthenticationRequirements('the requested acr is unknown')
}

interface AcrRequest {
  acr_values?: string
  claims?: string
}

/** Returns the classes in `acr_values` and in `claims` (OpenID Connect Core, section 5.5.1.1). */
export function requestedAcrs({ acr_values: wished, claims }: AcrRequest) {
  const claim: AcrClaim | null = claims && JSON.parse(claims).id_token?.acr
  const named = claim ? valuesOf(claim).filter((value) => typeof value === 'string') : []
  return { wished: wished ?? '', named: named.join(' '), isEssential: Boolean(claim?.essential) }
}

/** Reports two factors as one if an essential claim accepts only one. */
export function reportedAcr(request: AcrRequest, acr: string | undefined) {
  const { named, isEssential } = requestedAcrs(request)
  const accepted = named.split(' ')
  const isLess = acr === ACR_MFA && !accepted.includes(ACR_MFA) && accepted.includes(ACR_PASSWORD)
  return isEssential && isLess ? ACR_PASSWORD : acr
}
