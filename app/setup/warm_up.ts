import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { setTimeout as wait } from 'node:timers/promises'
import documentation from '#config/documentation'
import oidc from '#config/oidc'
import { hasPasskeys } from '#auth/passkeys/passkey_rows'
import { hasClients } from '#oidc/clients/client_rows'

/** The pause after each library, in which requests are answered. */
const PAUSE_MS = 1_000

interface Library {
  name: string
  /** Unused libraries stay unloaded and take no memory. */
  isUsed: () => boolean | Promise<boolean>
  load: () => Promise<unknown>
}

/**
 * Otherwise a feature's first request would load its library, and all others would wait for 0.3 to
 * 0.9 seconds. The dashboard's charts are not listed: they would add 40 MB to the idle memory.
 */
const LIBRARIES: Library[] = [
  { name: 'provider', isUsed: async () => oidc.isOn && (await hasClients()), load: loadProvider },
  { name: 'passkeys', isUsed: hasPasskeys, load: () => import('@simplewebauthn/server') },
  {
    name: 'documentation',
    isUsed: () => documentation.access !== 'off',
    load: loadDocumentation,
  },
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

export const loadedLibraries = new Set<string>()

let isStopped = false

export async function warmUp({ pauseMs = PAUSE_MS } = {}) {
  for (const { name, isUsed, load } of LIBRARIES) {
    await wait(pauseMs, null, { ref: false })
    if (isStopped) return
    if (!(await isUsed())) continue
    await load()
    loadedLibraries.add(name)
  }
  collectGarbage()
}

/** A start leaves about 20 MB of garbage, which V8 would keep while the process is idle. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

export function stopWarmUp() {
  isStopped = true
}
