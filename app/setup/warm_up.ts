import { setTimeout as wait } from 'node:timers/promises'
import documentation from '#config/documentation'
import oidc from '#config/oidc'

/** Between two libraries, so that requests are answered meanwhile. */
const PAUSE_MS = 1_000

interface Library {
  name: string
  isOn: boolean
  load: () => Promise<unknown>
}

/**
 * What the first request of a feature would load while all others wait: 0.3 to 0.9 seconds each.
 * Together they add 4 MB to the idle memory. The charts of the dashboard would add 40 MB, so the
 * first dashboard loads them.
 */
const LIBRARIES: Library[] = [
  { name: 'provider', isOn: oidc.isOn, load: loadProvider },
  { name: 'passkeys', isOn: true, load: () => import('@simplewebauthn/server') },
  { name: 'documentation', isOn: documentation.access !== 'off', load: loadDocumentation },
]

async function loadProvider() {
  await import('#oidc/provider/dispatch')
  await wait(PAUSE_MS, null, { ref: false })
  const { oidcProvider } = await import('#oidc/provider/provider')
  oidcProvider()
}

async function loadDocumentation() {
  const { apiDocumentJson } = await import('#openapi/document')
  await wait(PAUSE_MS, null, { ref: false })
  await apiDocumentJson('3.0')
}

/** The libraries that are loaded, by name. */
export const loadedLibraries = new Set<string>()

let isStopped = false

/** Loads the libraries of the features that are on, one after the other, beside the requests. */
export async function warmUp({ pauseMs = PAUSE_MS } = {}) {
  for (const { name, load } of LIBRARIES.filter(({ isOn }) => isOn)) {
    await wait(pauseMs, null, { ref: false })
    if (isStopped) return
    await load()
    loadedLibraries.add(name)
  }
}

/** A process that ends loads nothing more. */
export function stopWarmUp() {
  isStopped = true
}
