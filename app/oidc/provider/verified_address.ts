import type { Client } from 'oidc-provider'
import { accessOf, shownScopes } from '#oidc/consents/requested_access'
import { sendsAddress } from '#oidc/clients/claims'
import type User from '#models/user'
import type { OwnMetadata } from '#oidc/clients/metadata'

type Request = Parameters<typeof accessOf>[1]

/**
 * Applications that know their users by address would let in anyone who signed up with the address
 * of another user.
 */
export function needsVerifiedAddress(client: Client, request: Request, user: User | null) {
  const own: OwnMetadata = client.gatehouse
  if (!own.requireVerifiedEmail || !user || user.isEmailVerified) return false
  return sendsAddress(own, shownScopes(accessOf(client, request)))
}
