const TITLES: Record<string, string> = { github: 'GitHub' }

/** Returns the name that people read on pages and in mails. */
export function providerTitle(name: string) {
  return TITLES[name] ?? name[0].toUpperCase() + name.slice(1)
}
