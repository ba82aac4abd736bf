import { createHmac } from 'node:crypto'
import brand from '#config/brand'
import env, { givenValues } from '#start/env'
import { liveProcesses } from '#processes/live_processes'
import { ensureSettings } from '#settings/values/ensure_settings'
import { onSettingsChange, settingValue } from '#settings/values/current'
import { hasRule, LISTED_NAMES, type SettingName } from '#settings/values/definitions'

/** Processes may differ in these settings, because their machines and terminals differ. */
const OWN = new Set(['HOST', 'PORT', 'DATA_DIR', 'LOG_LEVEL', 'LOG_FORMAT', 'LOG_REQUESTS'])

const LENGTH = 8

let digests: Record<string, string> | undefined

onSettingsChange(() => (digests = undefined))

/**
 * Returns a short digest of each setting that this process runs with. The digest is keyed (HMAC):
 * otherwise a secret with few possible values could be guessed from it.
 */
export function settingDigests() {
  void ensureSettings().catch(() => undefined)
  const names = LISTED_NAMES.filter((name) => !OWN.has(name))
  return (digests ??= Object.fromEntries(names.map((name) => [name, digestOf(name)])))
}

function digestOf(name: string) {
  const value = hasRule(name) ? ruledValue(name) : givenValues.get(name)
  const key = env.get('APP_KEY').at(-1)!
  const text = `${name}\n${JSON.stringify(value ?? null)}`
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH)
}

function ruledValue(name: SettingName) {
  return name === 'BRAND_LOGO' ? brand.logo?.content.toString('base64') : settingValue(name)
}

/** Returns the names of the settings in which the running processes differ. */
export async function differingSettings(): Promise<string[]> {
  const running = await liveProcesses()
  const told = running.flatMap(({ settings }) => (settings ? [settings] : []))
  const names = [...new Set(told.flatMap(Object.keys))]
  // A process of an earlier version does not know every setting.
  const digestsOf = (name: string) => told.flatMap((settings) => settings[name] ?? [])
  return names.filter((name) => new Set(digestsOf(name)).size > 1).sort()
}
