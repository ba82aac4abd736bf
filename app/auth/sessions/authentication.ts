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

export const BY_PASSWORD = authenticationBy('password', {})

/** The factors that somebody has proved: `first` is a password, a passkey or a provider. */
export interface Factors {
  first: boolean
  second: boolean
}

type Proved = Pick<SessionRecord, 'userId' | 'method' | 'amr' | 'authenticatedAt'>

/**
 * The factors that the holder of a session proved in the last minutes. A provider counts
 * while it is linked: who unlinks one takes back what it proved. A passkey is two factors.
 */
export async function recentFactors(session: Proved): Promise<Factors> {
  const { userId, method, amr, authenticatedAt } = session
  const isRecent = Date.now() - authenticatedAt <= settings.recentProofMs
  if (!isRecent) return { first: false, second: false }
  if (amr.includes('hwk') || amr.includes('swk')) return { first: true, second: true }
  const first = amr.includes('pwd') || (await isLinked(userId, method))
  return { first, second: amr.includes('mfa') }
}

async function isLinked(userId: string, provider: string) {
  return Boolean(await Identity.query().where({ userId, provider }).first())
}

/** Whether the factors are all that the user has. */
export function suffice({ first, second }: Factors, user: { mfaEnabled: unknown }) {
  return first && (second || !user.mfaEnabled)
}
