import settings from '#config/external'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import type { ExternalProvider } from './provider.ts'

export const providerNames = [
  ...settings.oidc.map(({ name }) => name),
  ...(settings.github ? ['github'] : []),
]

const providers = new Map<string, Promise<ExternalProvider>>()

/** Loads the library with the first login that needs it. */
export function getProviderOrFail(name: string): Promise<ExternalProvider> {
  if (!providerNames.includes(name)) throw new E_NOT_FOUND()
  const provider = providers.get(name) ?? loadProvider(name)
  providers.set(name, provider)
  return provider
}

async function loadProvider(name: string): Promise<ExternalProvider> {
  const issuer = settings.oidc.find((each) => each.name === name)
  if (issuer) {
    const { OidcProvider } = await import('./oidc_provider.ts')
    return new OidcProvider(issuer)
  }
  const { GithubProvider } = await import('./github_provider.ts')
  return new GithubProvider(settings.github!)
}
