import store from '#auth/store/service'

/** Load balancers ask every second, and settings of Redis rarely change. */
const CACHE_MS = 2_000

let cached: { warnings: string[]; at: number } | undefined

export async function storeWarnings() {
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.warnings
  const warnings = await store.warnings().catch(() => [])
  cached = { warnings, at: Date.now() }
  return warnings
}
