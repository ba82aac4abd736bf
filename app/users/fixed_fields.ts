import { assertMay } from '#auth/callers/permissions'
import { isDelegated } from '#auth/callers/caller_kind'
import { invalidField } from '#exceptions/http_errors'
import type { Actor } from '#audit/actor'
import type User from '#models/user'

/* A key or an application is told that it may not set the field; a user, that the kind is fixed. */

/** A record that is sent back contains the current kind. @throws E_INSUFFICIENT_SCOPE, E_VALIDATION_ERROR */
export function assertKeepsKind(user: User, kind: unknown, actor: Actor) {
  if (kind === undefined || kind === user.kind) return
  if (isDelegated(actor)) assertMay('user.kind', actor)
  throw invalidField('kind', 'fixed', 'The kind field cannot be changed')
}

/** A new user has no app metadata that could be sent back. @throws E_INSUFFICIENT_SCOPE */
export function assertNoAppMetadata(appMetadata: unknown, actor: Actor) {
  if (appMetadata !== undefined && isDelegated(actor)) assertMay('user.app_metadata', actor)
}
