import { GithubProvider } from '#auth/external/github_provider'
import { OidcProvider } from '#auth/external/oidc_provider'
import { DiscoveryError } from '#auth/external/provider_error'
import { redirectUri } from '#auth/external/redirect_uri'
import { NameNotFoundError, NotPublicError } from '#network/public_hosts'
import type { OidcSettings } from '#auth/external/provider'
import type { GivenGithub } from './given_providers.ts'

export type ProviderTest =
  | 'works'
  | 'secret_unknown'
  | 'client_refused'
  | 'not_allowed'
  | 'too_slow'
  | 'unreachable'
  | 'no_document'
  | 'client_known'
  | 'no_github'

const GOOD: ProviderTest[] = ['works', 'secret_unknown', 'client_known']

/** Returns only our own reason, and none of the texts in the provider's answer. */
export async function tryProvider(settings: OidcSettings | GivenGithub) {
  const reason = await outcomeOf(settings)
  return { ok: GOOD.includes(reason), reason }
}

async function outcomeOf(settings: OidcSettings | GivenGithub): Promise<ProviderTest> {
  try {
    if ('apiUrl' in settings) return githubOutcome(await probeGithub(settings))
    await new OidcProvider(settings).probe(redirectUri(settings.name))
    return 'secret_unknown'
  } catch (error) {
    const reason = reasonOf(causesOf(error))
    /** GitHub has no discovery document, so `secret_unknown` (a valid document) cannot apply. */
    return 'apiUrl' in settings && reason === 'secret_unknown' ? 'no_github' : reason
  }
}

function probeGithub(settings: GivenGithub) {
  return new GithubProvider(settings).probe(redirectUri('github'))
}

/** GitHub answers 404 for an unknown client. */
function githubOutcome(error: string | null): ProviderTest {
  if (error === 'bad_verification_code') return 'client_known'
  const isUnknown = error === 'incorrect_client_credentials' || error === 'Not Found'
  return isUnknown ? 'client_refused' : 'no_github'
}

type Cause = Error & { error?: unknown; status?: number; code?: unknown }

const SYSTEM_ERROR = /^(E[A-Z]+|ERR_TLS_\w+|CERT_\w+|DEPTH_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/

function causesOf(error: unknown): Cause[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** `NameNotFoundError` is a subclass, but means that the provider is unreachable. */
function isNotAllowed(cause: Cause) {
  return cause instanceof NotPublicError && !(cause instanceof NameNotFoundError)
}

/** A provider that knows the client refuses only the code (RFC 6749, section 5.2). */
function reasonOf(causes: Cause[]): ProviderTest {
  if (causes.some(isNotAllowed)) return 'not_allowed'
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'too_slow'
  const isAway = causes.some(({ code }) => SYSTEM_ERROR.test(String(code)))
  if (isAway || causes.some((each) => each instanceof NameNotFoundError)) return 'unreachable'
  if (causes.some((each) => each instanceof DiscoveryError)) return 'no_document'
  const refused = causes.find(({ error }) => typeof error === 'string')
  if (refused?.error === 'invalid_grant') return 'works'
  const isUnknown = ['invalid_client', 'unauthorized_client'].includes(String(refused?.error))
  return isUnknown || causes.some(({ status }) => status === 401)
    ? 'client_refused'
    : 'secret_unknown'
}
