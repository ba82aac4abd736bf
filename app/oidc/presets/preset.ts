import { readFile } from 'node:fs/promises'
import type { KeyAlgorithm } from '#auth/signing_keys/signing_key'
import type { AuthMethod, ClientScope, ClientSettings } from '#oidc/clients/client'
import type { Format } from './quoting.ts'

export const GROUPS = ['people', 'development', 'operations', 'access', 'frameworks'] as const

/** A text to copy, or fields of a form. `file` is a name or a menu, `place` a key of our texts. */
export interface Snippet {
  file?: string
  place?: 'shell' | 'environment' | 'code'
  format: Format
  text?: string
  fields?: Record<string, string>
  /** Characters that no quoting lets this text hold. */
  cannotHold?: string
}

/** `resources/presets.yaml` says what each field means. */
export interface Preset {
  id: string
  name: string
  group: (typeof GROUPS)[number]
  /** Undefined if the redirect address does not depend on the address of the application. */
  url?: string
  redirectUris: string[]
  postLogoutRedirectUris?: string[]
  backchannelLogoutUri?: string
  auth: AuthMethod
  pkce: 'default' | 'setting' | 'none'
  algorithm: KeyAlgorithm
  scopes: ClientScope[]
  client?: Partial<ClientSettings>
  needs?: string
  notes: string[]
  read: string
  page: string
  tried?: string
  authWords?: Partial<Record<AuthMethod, string>>
  settings: Snippet[]
}

const FILE = new URL('../../../resources/presets.yaml', import.meta.url)

let presets: Promise<Preset[]> | undefined

/** Returns the presets in the order of their names. */
export function readPresets() {
  return (presets ??= parsePresets())
}

/** The parser is loaded when presets are first shown. */
async function parsePresets(): Promise<Preset[]> {
  const [{ parse }, text] = await Promise.all([import('yaml'), readFile(FILE, 'utf8')])
  const byId: Record<string, Omit<Preset, 'id'>> = parse(text)
  const all = Object.entries(byId).map(([id, preset]) => ({ id, ...preset }))
  return all.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

export async function findPreset(id: unknown) {
  const all = await readPresets()
  return all.find((preset) => preset.id === id) ?? null
}
