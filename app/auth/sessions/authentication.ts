import settings from '#config/mfa'
import Identity from '#models/identity'
import type { SessionRecord } from '#auth/store/contract'

/** How the holder of a session proved themselves. */
export interface Authentication {
  /** `password`, `passkey` or the name of the provider: how the session started. */
  method: string
  /** Authentication method references (RFC 8176): `pwd`, `otp`, `hwk`, `swk`, `user`, and `mfa` for two factors. */
  amr: string[]
}

/** What somebody has proved beside the first step: a code, or a passkey. */
export interface FurtherProof {
  hasCode?: boolean
  passkey?: { deviceType: 'singleDevice' | 'multiDevice' } | null
}

/** A provider has no reference in RFC 8176: its name is the method. */
export function authenticationBy(method: string, further: FurtherProof): Authentication {
  return { method, amr: amrOf(method, further) }
}

export function amrOf(method: string, { hasCode = false, passkey = null }: FurtherProof) {
  const first = method === 'password' ? ['pwd'] : []
  if (passkey) return [...first, ...amrOfPasskey(passkey)]
  return hasCode ? [...first, 'otp', 'mfa'] : first
}

/** Possession of the key, which lies in hardware unless it may be copied, and the person at it. */
export function amrOfPasskey({ deviceType }: NonNullable<FurtherProof['passkey']>) {
  return [deviceType === 'singleDevice' ? 'hwk' : 'swk', 'user', 'mfa']
}

/** Of sessions that a passkey started or proved, alone or beside a password. */
export const PROVED_BY_PASSKEY = { method: 'passkey', amr: ['hwk', 'swk'] } as const

/** `authenticatedAt` of a session whose provider did not tell when it asked who somebody is. */
export const NEVER = 0

/** What applications hear as `auth_time`: at least a time at which the provider vouched. */
export function authTimeOf({ authenticatedAt, createdAt }: Times) {
  return Math.floor((authenticatedAt || createdAt) / 1_000)
}

type Times = Pick<SessionRecord, 'authenticatedAt' | 'createdAt'>

/** Whether two factors proved a session: a code beside the first step, or a passkey. */
export function hasTwoFactors({ method, amr }: Pick<SessionRecord, 'method' | 'amr'>) {
  return method === 'passkey' || amr.includes('mfa')
}

export const BY_PASSWORD = authenticationBy('password', {})

/** The factors that somebody has proved: `first` is a password, a passkey or a provider. */
export interface Factors {
  first: boolean
  second: boolean
}

type Proved = Pick<SessionRecord, 'userId' | 'clientId' | 'method' | 'amr' | 'authenticatedAt'>

/**
 * The factors that the holder of a session proved in the last minutes. A provider counts
 * while it is linked: who unlinks one takes back what it proved. A passkey is two factors.
 *
 * The session of an application copies what the browser proved, for its ID tokens. The user
 * proved it to the browser, so that it is worth nothing in the hands of the application.
 */
export async function recentFactors(session: Proved): Promise<Factors> {
  const { userId, clientId, method, amr, authenticatedAt } = session
  const age = Date.now() - authenticatedAt
  // One of the future is from a clock that went back since, and would stay recent until then.
  const isRecent = Math.abs(age) <= settings.recentProofMs
  if (!isRecent || clientId !== null) return { first: false, second: false }
  if (PROVED_BY_PASSKEY.amr.some((reference) => amr.includes(reference)))
    return { first: true, second: true }
  const first = amr.includes('pwd') || (await isLinked(userId, method))
  return { first, second: amr.includes('mfa') }
}

async function isLinked(userId: string, provider: string) {
  return Boolean(await Identity.query().where({ userId, provider }).first())
}
