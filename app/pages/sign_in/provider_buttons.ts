import { providerNames } from '#auth/external/providers'
import { withNext } from './next_path.ts'

const TITLES: Record<string, string> = { github: 'GitHub' }

/** A provider as people read it. */
export function providerTitle(name: string) {
  return TITLES[name] ?? name[0].toUpperCase() + name.slice(1)
}

/** The links that prove who one is, at those linked providers that can be made to ask again. */
export function confirmationButtons(next: string, linked: string[]) {
  const buttons = providerButtons(next, linked.filter(canReauthenticate))
  return buttons.map(({ title, href }) => ({ title, href: `${href}&prompt=login` }))
}

/** GitHub can neither be told to ask again nor say when it did (`auth/external/github_provider.ts`). */
export function canReauthenticate(name: string) {
  return name !== 'github'
}

/** The links that start an external login which ends at a page: of all providers, or of some. */
export function providerButtons(next: string, names: string[] = providerNames) {
  return providerNames
    .filter((name) => names.includes(name))
    .map((name) => ({ title: providerTitle(name), href: withNext(`/auth/external/${name}`, next) }))
}
