import { SIGN_IN_METHODS } from '#auth/methods/sign_in_method'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { count } from '#telemetry/counters'

const BY_CODE: Record<string, string> = {
  E_ACCOUNT_LOCKED: 'locked',
  E_BUSY: 'busy',
  E_INVALID_CREDENTIALS: 'wrong_credentials',
  E_INVALID_MFA_TOKEN: 'refused',
  E_MFA_SUSPENDED: 'locked',
  E_PASSKEY_INVALID: 'wrong_credentials',
  E_TOO_MANY_REQUESTS: 'throttled',
}

/** Counts each sign-in exactly one time, whatever its outcome. */
export async function countLogin<Result extends { outcome: string }>(
  method: string,
  signIn: () => Promise<Result>
) {
  try {
    const result = await signIn()
    countOutcome(method, result.outcome === 'signed_in' ? 'success' : result.outcome)
    return result
  } catch (error) {
    countOutcome(method, outcomeOf(error))
    throw error
  }
}

/** Operators choose the names of providers, so no label contains these names. */
export function countOutcome(method: string, outcome: string) {
  const known = SIGN_IN_METHODS.find((name) => name === method) ?? 'external'
  count('gatehouse_logins_total', { method: known, outcome })
}

function outcomeOf(error: any) {
  return isDependencyDown(error) ? 'unavailable' : (BY_CODE[error.code] ?? 'other')
}
