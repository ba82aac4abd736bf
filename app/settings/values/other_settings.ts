import env from '#start/env'
import { claimVariable, providerVariables, variablesOf } from '#setup/environment/oidc_clients'

/* Settings that have no rule of their own in `start/env.ts`: whole groups of them are judged. */

const names = env.get('OIDC_PROVIDERS')

const ofProviders = [...providerVariables({ OIDC_PROVIDERS: names.join() }), 'GITHUB_URL']

const ofSentinels = ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD']

/** Listed behind the setting that they belong to. */
export const BESIDE: Record<string, string[]> = {
  OIDC_PROVIDERS: ofProviders,
  REDIS_SENTINEL_NAME: ofSentinels,
}

const DEFAULTS: Record<string, string> = { GITHUB_URL: 'https://github.com' }

/** Which part of which provider a variable is. */
const parts = new Map(
  names.flatMap((provider) => {
    const [ISSUER, CLIENT_ID, CLIENT_SECRET] = variablesOf(provider)
    const variables = { ISSUER, CLIENT_ID, CLIENT_SECRET, GROUPS_CLAIM: claimVariable(provider) }
    return Object.entries(variables).map(
      ([part, variable]) => [variable, { part, provider }] as const
    )
  })
)

export function otherDefault(name: string) {
  return DEFAULTS[name] ?? (parts.get(name)?.part === 'GROUPS_CLAIM' ? 'off' : null)
}

/** @returns the message that describes it, and what stands in that */
export function otherDescription(name: string): [string, Record<string, string>] {
  const found = parts.get(name)
  if (!found) return [`settings.about.${name}`, {}]
  return [`settings.about_provider.${found.part}`, { provider: found.provider }]
}
