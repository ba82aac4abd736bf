import { needsTwoFactors } from '#auth/sessions/required_factors'
import { ACR_MFA, requestedAcrs, satisfiesAcr } from '#oidc/tokens/acr'
import type User from '#models/user'
import type { SessionRecord } from '#auth/store/contract'

/* These checks apply to browsers and devices. */

export interface SignInRequest {
  prompt?: string
  max_age?: string | number
  acr_values?: string
  claims?: string
}

/** In milliseconds. `auth_time` may be later if an external provider did not report it. */
type Authentication = Partial<Pick<SessionRecord, 'authenticatedAt'>>

/** OpenID Connect Core, section 3.1.2.1. */
export function isStale(request: SignInRequest, { authenticatedAt = 0 }: Authentication) {
  const ageSeconds = (Date.now() - authenticatedAt) / 1_000
  const isOld = request.max_age !== undefined && ageSeconds > Number(request.max_age)
  return isOld || hasPrompt(request, 'login')
}

/** Reads the prompts of the request only, because the library adds prompts of its own. */
export function hasPrompt({ prompt = '' }: Pick<SignInRequest, 'prompt'>, name: string) {
  return prompt.split(' ').includes(name)
}

export function isNewerThan(askedAt: number, { authenticatedAt = 0 }: Authentication) {
  return authenticatedAt >= askedAt
}

export function lacksFactor(
  request: SignInRequest,
  { acr, user, requireMfa }: { acr?: string; user: User | null; requireMfa: boolean }
) {
  if (acr === ACR_MFA) return false
  if (requireMfa) return true
  const { wished, named } = requestedAcrs(request)
  const isMet = satisfiesAcr(acr, wished) && satisfiesAcr(acr, named)
  return !isMet || (user !== null && needsTwoFactors(user))
}
