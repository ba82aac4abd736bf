import { E_SCOPE } from '#auth/errors'
import type { Actor } from '#audit/actor'

/*
 | What no scope allows. A key that leaked must neither raise anybody's role nor take its
 | owner's account over, so these rules stand beside the change and not at the route.
 */

/** @throws E_SCOPE for a role that a key would set */
export function assertNoRoleByKey(role: string, before: string, actor: Actor) {
  if (actor.keyId && role !== before) throw new E_SCOPE()
}

interface Address {
  email: string | null
  emailVerified: boolean
}

/**
 * A reset is mailed to the address, so that a change of it hands the account over to whoever
 * reads the new mailbox; so does a verification of an address that its owner has not proved.
 *
 * @throws E_SCOPE for another address of an existing user, or one that a key would verify
 */
export function assertNoAddressByKey(after: Address, before: Address, actor: Actor) {
  const isVerifying = after.emailVerified && !before.emailVerified
  if (actor.keyId && (after.email !== before.email || isVerifying)) throw new E_SCOPE()
}

/** @throws E_SCOPE for a change of the owner of the key that needs the owner themselves */
export function assertNotOwnByKey(userId: string, actor: Actor) {
  if (actor.keyId && actor.id === userId) throw new E_SCOPE()
}
