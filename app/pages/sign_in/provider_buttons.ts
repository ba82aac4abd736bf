import { providerNames } from '#auth/external/providers'
import { providerTitle } from '#auth/external/provider_title'
import { withNext } from './next_path.ts'

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
