import limits from '#config/limits'
import { consume } from '#auth/lockout/rate_limit'
import { insertOnce } from '#oidc/records/record_rows'

export interface OneTimeJwt {
  issuer: string
  jti: string
  /** Seconds since the epoch. */
  exp: number
}

/** One statement decides between all processes. */
export function isFirstUse({ issuer, jti, exp }: OneTimeJwt) {
  const key = { kind: 'ReplayDetection', id: JSON.stringify([issuer, jti]) }
  return insertOnce(key, { payload: '{}', expiresAt: exp * 1_000 })
}

/** @throws E_TOO_MANY_REQUESTS */
export function countAssertion(clientId: string) {
  return consume(`client-assertions:{${clientId}}`, limits.clientAssertions)
}
