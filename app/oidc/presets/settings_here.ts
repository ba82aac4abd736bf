import brand from '#config/brand'
import oidc from '#config/oidc'
import type { OAuthClient } from '#oidc/clients/client'
import type { Preset } from './preset.ts'
import { settingsToCopy } from './settings_to_copy.ts'

/** Returns the settings that name this installation. @param secret null after it was shown */
export function settingsFor(preset: Preset, client: OAuthClient, secret: string | null) {
  return settingsToCopy(preset, { client, secret, issuer: oidc.issuer, title: brand.name })
}
