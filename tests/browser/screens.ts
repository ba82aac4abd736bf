/** Light and dark, wide and narrow, in each language. */
export const SCREENS = [
  { colorScheme: 'light', viewport: { width: 1_280, height: 900 }, locale: 'en' },
  { colorScheme: 'light', viewport: { width: 320, height: 800 }, locale: 'de' },
  { colorScheme: 'dark', viewport: { width: 320, height: 800 }, locale: 'fr' },
  { colorScheme: 'dark', viewport: { width: 390, height: 800 }, locale: 'es' },
] as const
