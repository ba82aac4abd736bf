import settings from '#config/external'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { ensureSettings } from '#settings/values/ensure_settings'
import type { ExternalProvider, OidcSettings } from './provider.ts'

/** Of the environment, and of the console as this request knows it. */
export function providerNames() {
  return [...settings.oidc.map(({ name }) => name), ...(settings.github ? ['github'] : [])]
}

/** Settings that changed are another object. */
const providers = new WeakMap<object, Promise<ExternalProvider>>()

/** Loads the library with the first login that needs it. */
export async function getProviderOrFail(name: string): Promise<ExternalProvider> {
  await ensureSettings()
  const issuer = findIssuer(name)
  const of = name === 'github' ? settings.github : issuer
  if (!of) throw new E_NOT_FOUND()
  const provider = providers.get(of) ?? loadProvider(issuer)
  providers.set(of, provider)
  return provider
}

function findIssuer(name: string) {
  return settings.oidc.find((each) => each.name === name)
}

/** An administrator typed its address in the console. */
export function isConsoleProvider(name: string) {
  return Boolean(findIssuer(name)?.isFromConsole)
}

async function loadProvider(issuer: OidcSettings | undefined): Promise<ExternalProvider> {
  if (issuer) {
    const { OidcProvider } = await import('./oidc_provider.ts')
    return new OidcProvider(issuer)
  }
  const { GithubProvider } = await import('./github_provider.ts')
  return new GithubProvider(settings.github!)
}
