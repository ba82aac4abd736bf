import env, { providerSettings, sentinelSettings } from '#start/env'
import { GITHUB } from '#setup/environment/named_clients'
import { claimVariable, variablesOf } from '#setup/environment/oidc_clients'

/* Settings without an entry in `rules` of `start/env.ts`, because they are validated as groups. */

/** These are listed after the setting that they belong to. */
export const BESIDE: Record<string, string[]> = {
  OIDC_PROVIDERS: [...providerSettings, 'GITHUB_URL'],
  REDIS_SENTINEL_NAME: sentinelSettings,
}

const DEFAULTS: Record<string, string> = { GITHUB_URL: GITHUB }

/** Maps each variable to its provider and to the part that it sets. */
const parts = new Map(
  env.get('OIDC_PROVIDERS').flatMap((provider) => {
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

/** @returns the key of the message that describes it, and the message's values */
export function otherDescription(name: string): [string, Record<string, string>] {
  const found = parts.get(name)
  if (!found) return [`settings.about.${name}`, {}]
  return [`settings.about_provider.${found.part}`, { provider: found.provider }]
}
