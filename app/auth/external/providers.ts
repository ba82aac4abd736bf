import settings from '#config/external'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { ensureSettings } from '#settings/values/ensure_settings'
import {
  isSameIssuer,
  type ExternalIdentity,
  type ExternalProvider,
  type OidcSettings,
} from './provider.ts'

/** Returns the names in the environment, and in the console as this request knows it. */
export function providerNames() {
  return [...settings.oidc.map(({ name }) => name), ...(settings.github ? ['github'] : [])]
}

/** By settings object, because changed settings are another object. */
const providers = new WeakMap<object, Promise<ExternalProvider>>()

/** Loads the library on the first login that needs the library. */
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

/**
 * Whether an administrator typed the address in the console. A removed provider also counts, or its
 * removal would give waiting sign-ins the rights of a provider of the environment.
 */
export function isConsoleProvider(name: string) {
  if (name === 'github') return !settings.github
  const issuer = findIssuer(name)
  return !issuer || Boolean(issuer.isFromConsole)
}

interface Answer extends Pick<ExternalIdentity, 'provider' | 'issuer'> {
  isFromConsole?: boolean
}

/**
 * A provider may be removed, or get another issuer, while the user is on the way back. An answer of
 * a console provider gains no trust if the environment has taken over the provider's name.
 */
export function isOffered({ provider, issuer, isFromConsole = false }: Answer) {
  if (provider === 'github') return Boolean(settings.github)
  const found = findIssuer(provider)
  if (!found || Boolean(found.isFromConsole) !== isFromConsole) return false
  return !isFromConsole || isSameIssuer(found.issuer, issuer)
}

/** Uses the current settings. @throws E_NOT_FOUND */
export async function assertOffered(answer: Answer) {
  await ensureSettings()
  if (!isOffered(answer)) throw new E_NOT_FOUND()
}

async function loadProvider(issuer: OidcSettings | undefined): Promise<ExternalProvider> {
  if (issuer) {
    const { OidcProvider } = await import('./oidc_provider.ts')
    return new OidcProvider(issuer)
  }
  const { GithubProvider } = await import('./github_provider.ts')
  return new GithubProvider(settings.github!)
}
