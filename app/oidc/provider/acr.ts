import { hasTwoFactors } from '#auth/sessions/authentication'
import type { SessionRecord } from '#auth/store/contract'

/** One factor, and two (OpenID Connect Core, section 2). */
export const ACR_PASSWORD = 'urn:gatehouse:acr:pwd'
export const ACR_MFA = 'urn:gatehouse:acr:mfa'
export const ACR_VALUES = [ACR_PASSWORD, ACR_MFA]

export function acrOf(session: Pick<SessionRecord, 'method' | 'amr'>) {
  return hasTwoFactors(session) ? ACR_MFA : ACR_PASSWORD
}

/** Unknown classes are wishes (OpenID Connect Core, section 5.5.1.1). */
export function satisfiesAcr(acr: string | undefined, requested = '') {
  const known = requested.split(' ').filter((value) => ACR_VALUES.includes(value))
  if (known.length === 0 || acr === ACR_MFA) return true
  return acr !== undefined && known.includes(acr)
}
