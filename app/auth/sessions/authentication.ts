import settings from '#config/mfa'
import { METHOD_LIST, methodNamed } from '#auth/methods/methods'
import type { SessionRecord } from '#auth/store/contract'

/** How the user of a session authenticated. */
export interface Authentication {
  /** `password`, `passkey` or the name of the provider: how the session started. */
  method: string
  /** Authentication method references (RFC 8176): `pwd`, `otp`, `hwk`, `swk`, `user`, and `mfa` for two factors. */
  amr: string[]
}

/** `auth_time` for applications: at least a time at which the provider confirmed the user. */
export function authTimeOf({ authenticatedAt, createdAt }: Times) {
  return Math.floor((authenticatedAt || createdAt) / 1_000)
}

type Times = Pick<SessionRecord, 'authenticatedAt' | 'createdAt'>

/** Whether two factors proved a session: a code beside the first step, or a method that is both. */
export function hasTwoFactors({ method, amr }: Pick<SessionRecord, 'method' | 'amr'>) {
  return methodNamed(method).isMultiFactor || amr.includes('mfa')
}

export const BY_PASSWORD: Authentication = { method: 'password', amr: ['pwd'] }
export const BY_PASSWORD_AND_CODE: Authentication = {
  method: 'password',
  amr: ['pwd', 'otp', 'mfa'],
}

/** Proved factors: `first` is a password, a passkey or a provider. */
export interface Factors {
  first: boolean
  second: boolean
}

type Proved = Pick<SessionRecord, 'userId' | 'clientId' | 'method' | 'amr' | 'authenticatedAt'>

/**
 * The factors that a session proved in the last minutes. The session of an application copies
 * them from the browser for its ID tokens: in the hands of the application they prove nothing.
 */
export async function recentFactors(session: Proved): Promise<Factors> {
  const age = Date.now() - session.authenticatedAt
  // A time in the future is from a clock that went back, and would stay recent until then.
  const isRecent = Math.abs(age) <= settings.recentProofMs
  if (!isRecent || session.clientId !== null) return { first: false, second: false }
  const second = session.amr.includes('mfa')
  for (const method of METHOD_LIST) {
    if (await method.hasProved(session))
      return { first: true, second: second || method.isMultiFactor }
  }
  return { first: false, second }
}
