import { printable, redactAddress } from '#oidc/refusals/sent'
import type { Context } from 'oidc-provider'
import type { RefusalReason } from '#oidc/refusals/reasons'

/* Most errors of the library differ only in their descriptions. */

export interface ProviderError {
  name: string
  error?: string
  error_description?: string
  error_detail?: string
  scope?: string
}

interface ReportedRefusal {
  reason: RefusalReason
  sent: string | null
}

/** Errors that the user caused or has to resolve, and errors that pass by themselves. */
const NO_REFUSALS = new Set([
  'access_denied',
  'account_selection_required',
  'authorization_pending',
  'consent_required',
  'expired_token',
  'interaction_required',
  'login_required',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'unmet_authentication_requirements',
])

const BY_ERROR: Record<string, RefusalReason> = {
  invalid_dpop_proof: 'dpop_proof',
  invalid_grant: 'grant',
  invalid_scope: 'scope',
  invalid_target: 'resource',
  unauthorized_client: 'grant_type',
  unsupported_grant_type: 'grant_type',
  unsupported_response_mode: 'response_mode',
  unsupported_response_type: 'response_type',
}

const NO_PROOF = /DPoP proof JWT not provided|missing DPoP/

const BY_DESCRIPTION: [RegExp, RefusalReason][] = [
  [/too many wrong secrets/, 'too_many_secrets'],
  [/requires PKCE|code_challenge/, 'pkce'],
  [/Pushed Authorization Request/, 'par'],
  [NO_PROOF, 'dpop'],
  [/grant type is not allowed|^urn:\S+ is not allowed for this client/, 'grant_type'],
  [/requested response_mode/, 'response_mode'],
  [/requested response_type/, 'response_type'],
  [/^origin \S+ not allowed/, 'origin'],
]

const BY_DETAIL: [RegExp, RefusalReason][] = [
  [/authentication mechanism/, 'auth_method'],
  [/invalid secret/, 'client_secret'],
]

/** Returns null for an error that is not a refusal of the application. */
export function refusalReason(ctx: Context, error: ProviderError): ReportedRefusal | null {
  if (error.name === 'SessionNotFound') return null
  const reason = reasonFor(error)
  return reason && { reason, sent: sentFor(ctx, reason, error) }
}

function reasonFor(failure: ProviderError): RefusalReason | null {
  const { name, error = '', error_description: description = '' } = failure
  if (name === 'InvalidRedirectUri') return 'redirect_uri'
  if (error === 'invalid_client') return ofClient(failure)
  if (NO_PROOF.test(failure.error_detail ?? '')) return 'dpop'
  const described = BY_DESCRIPTION.find(([pattern]) => pattern.test(description))
  if (described) return described[1]
  return NO_REFUSALS.has(error) ? null : (BY_ERROR[error] ?? 'request')
}

function ofClient({ error_detail: detail = '' }: ProviderError): RefusalReason {
  const found = BY_DETAIL.find(([pattern]) => pattern.test(detail))
  return found?.[1] ?? 'client_assertion'
}

function sentFor(ctx: Context, reason: RefusalReason, { scope }: ProviderError) {
  const params = paramsOf(ctx)
  switch (reason) {
    case 'redirect_uri':
      return redactAddress(params.redirect_uri)
    case 'origin':
      return redactAddress(ctx.get('origin'))?.replace(/\/$/, '') ?? null
    case 'resource':
      return redactAddress([params.resource].flat()[0])
    case 'scope':
      return printable(scope ?? params.scope)
    case 'grant_type':
    case 'response_type':
    case 'response_mode':
      return printable(params[reason] ?? ctx.query[reason])
    case 'auth_method':
      return authMethodOf(ctx)
    default:
      return null
  }
}

function authMethodOf(ctx: Context) {
  const { client_secret: secret, client_assertion: assertion } = paramsOf(ctx)
  if (ctx.req.headers.authorization) return 'client_secret_basic'
  if (secret) return 'client_secret_post'
  return assertion ? 'private_key_jwt' : 'none'
}

/** Returns the raw query if the library stopped before it read the parameters. */
export function paramsOf({ oidc, query }: Context): Record<string, any> {
  return oidc.params ?? query
}
