import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { canonicalEmail } from '#models/email'
import { Refusal } from '#exceptions/refusal'
import { count } from '#telemetry/counters'
import User from '#models/user'
import { reasonOf } from './provider_error.ts'
import { providerNames } from './providers.ts'
import type { ExternalIdentity } from './provider.ts'
import type { RequestSource } from '#auth/sessions/device'

// The reasons for refusals that an attack may have caused.
const REASONS: Record<string, string> = {
  E_EXTERNAL_STATE: 'state',
  E_EXTERNAL_LOGIN_FAILED: 'unverified_answer',
  E_EXTERNAL_DENIED: 'denied',
  E_EXTERNAL_NOT_RECENT: 'not_recent',
  E_IDENTITY_CONFLICT: 'identity_conflict',
  E_IDENTITY_TAKEN: 'identity_taken',
  E_IDENTITY_LIMIT: 'identity_limit',
  E_EXTERNAL_EMAIL_MISSING: 'email_missing',
  E_SIGN_UP_CLOSED: 'sign_up_closed',
  E_VALIDATION_ERROR: 'domain_not_allowed',
}

interface RefusedLogin {
  provider: string
  identity?: ExternalIdentity
  from: RequestSource
}

/** An identity with a user's address is an event of this user, who must be told about it. */
export async function recordRefusedLogin(
  error: unknown,
  { provider, identity, from }: RefusedLogin
) {
  if (!providerNames().includes(provider)) return
  countRefused(error)
  const reason = error instanceof Refusal ? REASONS[error.code!] : undefined
  if (!reason) return
  const claimed = reason === 'identity_conflict' ? await findClaimed(identity!) : null
  const details = { method: provider, reason, ...causeOf(error as Refusal) }
  const about = { user: claimed, actor: anonymousActor(from), outcome: 'failure' } as const
  const cause = [provider, reason, claimed?.id ?? '']
  await recordCoalesced({ ...about, type: 'login.refused', details }, cause)
}

const BY_PROVIDER = new Set(['E_PROVIDER_FAILED', 'E_PROVIDER_TIMEOUT'])

/** `signInExternally` counts the logins that it refuses itself. */
function countRefused(error: unknown) {
  const code = error instanceof Refusal ? error.code! : ''
  const outcome = BY_PROVIDER.has(code) ? 'unavailable' : REASONS[code] && 'refused'
  if (outcome) count('gatehouse_logins_total', { method: 'external', outcome })
}

function findClaimed({ email }: ExternalIdentity) {
  return User.findBy('email', canonicalEmail(email ?? ''))
}

function causeOf(error: Refusal) {
  const cause = reasonOf(error)
  return cause ? { cause } : {}
}
