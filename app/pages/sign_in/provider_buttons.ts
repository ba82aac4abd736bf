import { providerNames } from '#auth/external/providers'
import { withNext } from './next_path.ts'

const TITLES: Record<string, string> = { github: 'GitHub' }

export function providerTitle(name: string) {
  return TITLES[name] ?? name[0].toUpperCase() + name.slice(1)
}

/** Only providers that can reauthenticate prove the identity of the user. */
export function confirmationButtons(next: string, linked: string[]) {
  const buttons = providerButtons(next, linked.filter(canReauthenticate))
  return buttons.map(({ title, href }) => ({ title, href: `${href}&prompt=login` }))
}

/** GitHub can neither ask again nor say when it did (`auth/external/github_provider.ts`). */
export function canReauthenticate(name: string) {
  return name !== 'github'
}

export function providerButtons(next: string, names: string[] = providerNames()) {
  return providerNames()
    .filter((name) => names.includes(name))
    .map((name) => ({ title: providerTitle(name), href: withNext(`/auth/external/${name}`, next) }))
}
