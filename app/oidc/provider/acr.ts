import { hasTwoFactors } from '#auth/sessions/authentication'
import type { SessionRecord } from '#auth/store/contract'

/** Authentication context classes (OpenID Connect Core, section 2): one factor, and two. */
export const ACR_PASSWORD = 'urn:gatehouse:acr:pwd'
export const ACR_MFA = 'urn:gatehouse:acr:mfa'
export const ACR_VALUES = [ACR_PASSWORD, ACR_MFA]

export function acrOf(session: Pick<SessionRecord, 'method' | 'amr'>) {
  return hasTwoFactors(session) ? ACR_MFA : ACR_PASSWORD
}

/**
 * Whether one of the requested classes (`acr_values`) was reached; two factors are one as well. A
 * class that is not ours is a wish that nothing can fulfil (OpenID Connect Core, section 5.5.1.1).
 */
export function satisfiesAcr(acr: string | undefined, requested = '') {
  const known = requested.split(' ').filter((value) => ACR_VALUES.includes(value))
  if (known.length === 0 || acr === ACR_MFA) return true
  return acr !== undefined && known.includes(acr)
}
