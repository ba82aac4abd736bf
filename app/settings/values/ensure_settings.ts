import store from '#auth/store/service'
import { ensureConfiguration, ensureConfigurationOfPage } from '#database/configuration_version'
import './current.ts'

/** Before a setting decides anything in a request that has read no configuration version. */
export function ensureSettings() {
  return ensureConfiguration(() => store.readConfiguration())
}

/** What the request has read already is enough for what its page shows. */
export function ensureShownSettings() {
  return ensureConfigurationOfPage(() => store.readConfiguration())
}

/** After a change of its own, a process reads the new version at once. */
export async function refreshSettings() {
  await store.readConfiguration()
}
