import store from '#auth/store/service'
import { ensureConfiguration, ensureConfigurationOfPage } from '#database/configuration_version'
import './current.ts'

/** Needed before a setting decides anything in a request that has read no configuration version. */
export function ensureSettings() {
  return ensureConfiguration(() => store.readConfiguration())
}

/** For what a page shows, the version that its request has already read is enough. */
export function ensureShownSettings() {
  return ensureConfigurationOfPage(() => store.readConfiguration())
}

/** Reads the new version immediately, after a change by this process. */
export async function refreshSettings() {
  await store.readConfiguration()
}
