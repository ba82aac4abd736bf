import { withGroups } from '#oidc/clients/access/allowed_groups'
import { hasSecret, hasPrivateKeyJwt, isPublic, isTrusted } from './client.ts'
import { changedFields } from './client_fields.ts'
import { withoutPrevious, withoutSecrets } from './secrets.ts'
import type { Group } from '#groups/group'
import type { ClientSettings, OAuthClient } from './client.ts'

/**
 * A client that loses its secret or key is held to PKCE, and one that loses its keys forgets them.
 * The holder of a leaked key may know the previous secret of a client that becomes trusted.
 */
export function updated(
  before: OAuthClient,
  given: Partial<ClientSettings>,
  groups?: Group[]
): OAuthClient {
  const changes = changedFields(before, given)
  const client = { ...before, ...changes }
  const hasLostSecret = hasSecret(before) && !hasSecret(client)
  const becomesPublic = isPublic(client) && !isPublic(before)
  const pkce = hasLostSecret || becomesPublic ? { requirePkce: true } : {}
  const hasLostKeys = hasPrivateKeyJwt(before) && !hasPrivateKeyJwt(client)
  const keys = hasLostKeys ? { jwks: null, jwksUri: null } : {}
  const settings = { ...before, ...pkce, ...keys, ...changes, updatedAt: Date.now() }
  const kept = isTrusted(settings) && !isTrusted(before) ? withoutPrevious(settings) : settings
  const plain = hasSecret(kept) ? kept : withoutSecrets(kept)
  return groups ? withGroups(plain, groups) : plain
}
