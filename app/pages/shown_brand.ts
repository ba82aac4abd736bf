import brand from '#config/brand'
import { logoPath } from './assets.ts'

/** The brand that views read; it follows the settings. */
export const shownBrand = Object.create(brand, {
  logoPath: { get: logoPath, enumerable: true },
}) as typeof brand & { logoPath: string | null }
