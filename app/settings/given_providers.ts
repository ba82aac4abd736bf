import settings from '#config/external'

/* External providers that the environment sets. They take precedence over the console. */

/** Contains the configuration objects of the start, not copies: tests change their addresses. */
export const givenProviders = [...settings.oidc]

export type GivenGithub = NonNullable<typeof settings.github>

export function isGivenProvider(name: string) {
  if (name === 'github') return settings.github !== null
  return givenProviders.some((each) => each.name === name)
}
