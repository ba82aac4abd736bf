import { providerNames } from '#auth/external/providers'
import { withNext } from './next_path.ts'

const TITLES: Record<string, string> = { github: 'GitHub' }

/** A provider as people read it. */
export function providerTitle(name: string) {
  return TITLES[name] ?? name[0].toUpperCase() + name.slice(1)
}

/** The links that start an external login which ends at a page: of all providers, or of some. */
export function providerButtons(next: string, names: string[] = providerNames) {
  return providerNames
    .filter((name) => names.includes(name))
    .map((name) => ({ title: providerTitle(name), href: withNext(`/auth/external/${name}`, next) }))
}
