import external from '#config/external'
import { assertMay } from '#auth/callers/permissions'
import { invalidField } from '#exceptions/http_errors'
import { i18nFor } from '#i18n/locales'
import { ensureSettings } from '#settings/values/ensure_settings'
import { storedProviders } from '#settings/values/current'
import { isGivenProvider } from './given_providers.ts'
import { secretFor, type ProviderChanges } from './external_providers.ts'
import { assertUnlocked } from './read_changes.ts'
import { throttleTests } from './throttle.ts'
import { decryptProviderSecret } from '#settings/values/secrets'
import type { Actor } from '#audit/actor'

export interface TestResult {
  ok: boolean
  /** A message of our own. It contains no text that the provider has sent. */
  message: string
}

/**
 * Tries the typed values, and takes missing ones from the saved provider. Its secret is used only
 * for its own issuer. @throws E_VALIDATION_ERROR, E_TOO_MANY_REQUESTS, and what `assertMay` throws
 */
export async function testProvider(
  input: ProviderChanges & { name: string },
  actor: Actor,
  locale = 'en'
): Promise<TestResult> {
  assertUnlocked(actor)
  assertMay('settings', actor)
  await ensureSettings()
  const settings = settingsOf(input)
  await throttleTests(actor)
  const { tryProvider } = await import('./try_provider.ts')
  const { ok, reason } = await tryProvider(settings)
  return { ok, message: i18nFor(locale).t(`settings.test.${reason}`) }
}

function settingsOf(input: ProviderChanges & { name: string }) {
  const { name } = input
  if (isGivenProvider(name)) return givenSettings(name)
  const stored = storedProviders().find((each) => each.name === name)
  const issuer = input.issuer ?? stored?.issuer
  const clientId = input.clientId ?? stored?.clientId
  if (issuer === undefined) throw missing('issuer')
  if (clientId === undefined) throw missing('clientId')
  if (!stored && input.clientSecret === undefined) throw missing('clientSecret')
  const known = stored ? decryptProviderSecret(stored, issuer) : null
  const clientSecret = secretFor(input, known)
  return { name, issuer, clientId, clientSecret, groupsClaim: null, isFromConsole: true as const }
}

/** Reads the configuration on each call, because tests change it. */
function givenSettings(name: string) {
  return name === 'github' ? external.github! : external.oidc.find((each) => each.name === name)!
}

function missing(field: string) {
  return invalidField(field, 'required', `The ${field} field must be defined`)
}
