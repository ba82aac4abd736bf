import settings from '#config/external'

/* What the environment says of external providers; it wins over the console. */

/** The objects of the configuration at start: tests change their addresses. */
export const givenProviders = [...settings.oidc]

export type GivenGithub = NonNullable<typeof settings.github>

export function isGivenProvider(name: string) {
  if (name === 'github') return settings.github !== null
  return givenProviders.some((each) => each.name === name)
}
