import { assertMay, type SensitiveChange } from '#auth/callers/limits'
import { hasApiScope, type ClientSettings, type OAuthClient } from './client.ts'
import { DEFAULTS, isSameValue } from './client_fields.ts'
import type { Actor } from '#audit/actor'

interface ClientChange {
  before: OAuthClient | null
  after: ClientSettings | null
  hasNewSecret?: boolean
  /** A user has a consent for the client, or a session with it. */
  isInUse?: boolean
}

/** @throws what `assertMay` throws */
export function assertMayChangeClient(change: ClientChange, actor: Actor) {
  for (const each of sensitiveChanges(change)) assertMay(each, actor)
}

function sensitiveChanges(change: ClientChange): SensitiveChange[] {
  const sensitive: SensitiveChange[] = ['client.settings']
  if ([change.before, change.after].some(hasApiAccess)) sensitive.push('client.api_access')
  if (changesFirstParty(change)) sensitive.push('client.first_party')
  if (change.isInUse && changesReceiver(change)) sensitive.push('client.in_use')
  return sensitive
}

function hasApiAccess(client: ClientSettings | null) {
  return client !== null && (hasApiScope(client) || client.serviceAccountId !== null)
}

/** All settings but the name are limited, so that a new setting is too. */
const LIMITED_SETTINGS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]

/** An unchanged setting that is sent back is no change. */
function changesFirstParty({ before, after }: ClientChange) {
  const isFirstParty = [before, after].some((client) => client?.kind === 'first_party')
  if (!after || !isFirstParty) return false
  return LIMITED_SETTINGS.some((name) => !isSameValue(before?.[name], after[name]))
}

/** These decide who gets the codes, tokens and users of a client, how well they are bound, and what they say. */
const RECEIVER = [
  'redirectUris',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'homeUrl',
  'tokenEndpointAuthMethod',
  'jwks',
  'jwksUri',
  'allowHttp',
  'requirePkce',
  'requirePar',
  'requireDpop',
  'requireVerifiedEmail',
  'refreshTokens',
  'refreshTokenTtl',
  'claims',
  'access',
  'allowedGroups',
  'requireMfa',
] as const satisfies (keyof ClientSettings)[]

/** Another client could be registered with the id of a deleted one. */
function changesReceiver({ before, after, hasNewSecret = false }: ClientChange) {
  if (!after || hasNewSecret) return true
  return RECEIVER.some((name) => !isSameValue(before?.[name], after[name]))
}
