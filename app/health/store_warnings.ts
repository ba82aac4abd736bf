import store from '#auth/store/service'
import { inEnglish } from '#i18n/sentences'

/** Load balancers ask every second, and settings of Redis rarely change. */
const CACHE_MS = 2_000

let cached: { warnings: string[]; at: number } | undefined

export async function storeWarnings() {
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.warnings
  const sentences = await store.warnings().catch(() => [])
  const warnings = sentences.map(inEnglish)
  cached = { warnings, at: Date.now() }
  return warnings
}
