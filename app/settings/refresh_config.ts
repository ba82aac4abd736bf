import brand from '#config/brand'
import external from '#config/external'
import mfa from '#config/mfa'
import signUp from '#config/sign_up'
import {
  onSettingsChange,
  settingValue,
  storedProviders,
  storedText,
} from '#settings/values/current'
import { isInEnv } from '#settings/values/definitions'
import { givenProviders, isGivenProvider } from './given_providers.ts'
import { decryptProviderSecret } from '#settings/values/secrets'
import type { OidcSettings } from '#auth/external/provider'
import type { ProviderRow } from '#settings/values/provider_rows'

/* Updates the configuration objects when settings change in the console. */

const logoOfEnvironment = brand.logo

onSettingsChange(() => {
  brand.name = settingValue('BRAND_NAME')
  brand.color = settingValue('BRAND_COLOR')
  brand.logo = logoOf(isInEnv('BRAND_LOGO') ? undefined : storedText('BRAND_LOGO'))
  signUp.isOpen = settingValue('SIGN_UP') === 'open'
  signUp.domains = settingValue('SIGN_UP_DOMAINS')
  mfa.isRequiredOfAdmins = settingValue('ADMIN_REQUIRE_MFA')
  const stored = storedProviders().filter(({ name }) => !isGivenProvider(name))
  external.oidc.splice(0, Infinity, ...givenProviders, ...openProviders(stored))
})

function logoOf(text: string | undefined) {
  if (text === undefined) return logoOfEnvironment
  return { type: 'image/webp', extension: 'webp', content: Buffer.from(text, 'base64') }
}

let opened = new Map<string, OidcSettings[]>()

/** Returns the same object for the same version, so that its discovered metadata is kept. */
function openProviders(rows: ProviderRow[]) {
  opened = new Map(rows.map((row) => [row.version, opened.get(row.version) ?? open(row)]))
  return [...opened.values()].flat()
}

function open(row: ProviderRow): OidcSettings[] {
  const { name, issuer, clientId } = row
  const clientSecret = decryptProviderSecret(row, issuer)
  if (clientSecret === null) return []
  return [{ name, issuer, clientId, clientSecret, groupsClaim: null, isFromConsole: true }]
}
