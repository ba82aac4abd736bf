import settings from '#config/mfa'
import { METHOD_LIST, methodNamed } from '#auth/methods/methods'
import type { SessionRecord } from '#auth/store/contract'

export interface Authentication {
  /** How the session started: `password`, `passkey` or the name of the provider. */
  method: string
  /** RFC 8176: `pwd`, `otp`, `hwk`, `swk`, `user`, and `mfa` for two factors. */
  amr: string[]
}

/** Uses the start of the session if a provider gives no time (`auth_time`, OpenID Connect). */
export function authTimeOf({ authenticatedAt, createdAt }: Times) {
  return Math.floor((authenticatedAt || createdAt) / 1_000)
}

type Times = Pick<SessionRecord, 'authenticatedAt' | 'createdAt'>

export function hasTwoFactors({ method, amr }: Pick<SessionRecord, 'method' | 'amr'>) {
  return methodNamed(method).isMultiFactor || amr.includes('mfa')
}

export const BY_PASSWORD: Authentication = { method: 'password', amr: ['pwd'] }
export const BY_PASSWORD_AND_CODE: Authentication = {
  method: 'password',
  amr: ['pwd', 'otp', 'mfa'],
}

export interface Factors {
  first: boolean
  second: boolean
}

type Proved = Pick<SessionRecord, 'userId' | 'clientId' | 'method' | 'amr' | 'authenticatedAt'>

/** An application's session copies the factors of the browser, and proves no factors itself. */
export async function recentFactors(session: Proved): Promise<Factors> {
  const age = Date.now() - session.authenticatedAt
  // A time in the future comes from a clock that was set back, and would stay recent until then.
  const isRecent = Math.abs(age) <= settings.recentAuthenticationMs
  if (!isRecent || session.clientId !== null) return { first: false, second: false }
  const second = session.amr.includes('mfa')
  for (const method of METHOD_LIST) {
    if (await method.hasVerified(session))
      return { first: true, second: second || method.isMultiFactor }
  }
  return { first: false, second }
}
