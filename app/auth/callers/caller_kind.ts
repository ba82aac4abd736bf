import type { Actor } from '#audit/actor'

/** A service account acts with an API key or a client's token (`client_credentials`). */
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

export function isDelegated(actor: Actor) {
  return ['api_key', 'client'].includes(callerKindOf(actor))
}
