import { E_SCOPE } from '#auth/errors'
import type { Actor } from '#audit/actor'

/*
 | What no scope allows. A key that leaked must neither raise anybody's role nor take its
 | owner's account over, so these rules stand beside the change and not at the route.
 */

/** @throws E_SCOPE for a role that a key would set */
export function assertNoRoleByKey(role: string, before: string, actor: Actor) {
  if (actor.isApiKey && role !== before) throw new E_SCOPE()
}

/** @throws E_SCOPE for a change of the owner of the key that needs the owner themselves */
export function assertNotOwnByKey(userId: string, actor: Actor) {
  if (actor.isApiKey && actor.id === userId) throw new E_SCOPE()
}
