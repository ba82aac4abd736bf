import { appUrl } from '#config/app'
import { OidcProvider } from '#auth/external/oidc_provider'
import { DiscoveryFault } from '#auth/external/provider_fault'
import { NotPublicError } from '#network/public_hosts'
import type { OidcSettings } from '#auth/external/provider'

export type ProviderTest =
  'works' | 'secret_unknown' | 'client_refused' | 'not_allowed' | 'too_slow' | 'no_document'

/** What the provider answers stays here: its texts are not ours. */
export async function tryProvider(
  settings: OidcSettings
): Promise<{ ok: boolean; reason: ProviderTest }> {
  const reason = await outcomeOf(settings)
  return { ok: reason === 'works' || reason === 'secret_unknown', reason }
}

async function outcomeOf(settings: OidcSettings): Promise<ProviderTest> {
  try {
    await new OidcProvider(settings).probe(`${appUrl}/auth/external/${settings.name}/callback`)
    return 'secret_unknown'
  } catch (error) {
    return reasonOf(causesOf(error))
  }
}

type Cause = Error & { error?: unknown; status?: number }

function causesOf(error: unknown): Cause[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** A provider that knows the client refuses the code alone (RFC 6749, section 5.2). */
function reasonOf(causes: Cause[]): ProviderTest {
  if (causes.some((each) => each instanceof NotPublicError)) return 'not_allowed'
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) return 'too_slow'
  if (causes.some((each) => each instanceof DiscoveryFault)) return 'no_document'
  const refused = causes.find(({ error }) => typeof error === 'string')
  if (refused?.error === 'invalid_grant') return 'works'
  const isUnknown = ['invalid_client', 'unauthorized_client'].includes(String(refused?.error))
  return isUnknown || causes.some(({ status }) => status === 401)
    ? 'client_refused'
    : 'secret_unknown'
}
