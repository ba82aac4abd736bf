import { isDelegated } from '#auth/callers/caller_kind'
import { assertMay, type SensitiveChange } from '#auth/callers/permissions'
import { isAddress, mayBeCalled } from '#network/outbound_hosts'
import { hasApiAccess, type ClientSettings, type OAuthClient } from './client.ts'
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
  if (isDelegated(actor) && namesPrivateReceiver(change)) assertMay('client.in_use', actor)
}

/**
 * A leaked key must not send requests into the network of the server. A name may point there at any
 * time: over https the certificate of the receiver would not match, over http nothing stops it.
 */
function namesPrivateReceiver({ before, after }: ClientChange) {
  return (['backchannelLogoutUri', 'jwksUri'] as const).some((field) => {
    const uri = after?.[field] ?? null
    return uri !== null && uri !== before?.[field] && mayBePrivate(uri)
  })
}

function mayBePrivate(uri: string) {
  const url = URL.parse(uri)
  return url !== null && !(mayBeCalled(url) && (url.protocol === 'https:' || isAddress(url)))
}

function sensitiveChanges(change: ClientChange): SensitiveChange[] {
  const sensitive: SensitiveChange[] = ['client.settings']
  if ([change.before, change.after].some((client) => client && hasApiAccess(client)))
    sensitive.push('client.api_access')
  if (changesFirstParty(change)) sensitive.push('client.first_party')
  if (change.isInUse && changesReceiver(change)) sensitive.push('client.in_use')
  return sensitive
}

/** All settings but the name are limited, so that a new setting is also limited. */
const LIMITED_SETTINGS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]

/**
 * An unchanged setting that is sent back is no change. A deleted client could come back as another.
 * No consent shows that users rely on the client: its secret counts even without active sessions.
 */
function changesFirstParty({ before, after, hasNewSecret = false }: ClientChange) {
  const isFirstParty = [before, after].some((client) => client?.kind === 'first_party')
  if (!isFirstParty) return false
  if (!after || hasNewSecret) return true
  return LIMITED_SETTINGS.some((name) => !isSameValue(before?.[name], after[name]))
}

/**
 * The others decide who gets the codes, tokens and users of a client, how well these are bound, and
 * what they say. A new setting counts as one of the others until it is listed here.
 */
const FREE_IN_USE: (keyof typeof DEFAULTS)[] = [
  'kind',
  'scopes',
  'serviceAccountId',
  'idTokenAlgorithm',
  'idTokenClaims',
]

const LIMITED_IN_USE = LIMITED_SETTINGS.filter((name) => !FREE_IN_USE.includes(name))

/** Another client could be registered with the id of a deleted one. */
function changesReceiver({ before, after, hasNewSecret = false }: ClientChange) {
  if (!after || hasNewSecret) return true
  return LIMITED_IN_USE.some((name) => !isSameValue(before?.[name], after[name]))
}
