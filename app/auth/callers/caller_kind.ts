import type { Actor } from '#audit/actor'

/**
 * Who makes a request. A service account has no session: it acts by an API key, or by the
 * token of a client (`client_credentials`).
 */
export const CALLER_KINDS = [
  'user',
  'client',
  'api_key',
  'operator',
  'system',
  'anonymous',
] as const
export type CallerKind = (typeof CALLER_KINDS)[number]

export function callerKindOf({ name, id, keyId, clientId }: Actor): CallerKind {
  if (keyId) return 'api_key'
  if (clientId) return 'client'
  if (id) return 'user'
  if (name.startsWith('cli:')) return 'operator'
  return name === 'system' ? 'system' : 'anonymous'
}

/** Whether something acts for the user that is not the user: an API key, or an application. */
export function isDelegated(actor: Actor) {
  return ['api_key', 'client'].includes(callerKindOf(actor))
}
