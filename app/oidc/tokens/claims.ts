import { appUrl } from '#config/app'
import type { Context } from 'oidc-provider'
import type User from '#models/user'
import type { OwnMetadata } from '#oidc/clients/metadata'

/** OpenID Connect Core, section 5.4, and our role. */
export const CLAIMS: Record<string, string[]> = {
  openid: ['sub', 'auth_time', 'acr', 'amr', 'sid'],
  profile: ['name', 'nickname', 'preferred_username', 'picture', 'locale', 'role', 'updated_at'],
  email: ['email', 'email_verified'],
  groups: ['groups'],
}

export function claimsOf(user: User): Record<string, unknown> {
  return {
    sub: user.id,
    email: user.mailbox,
    email_verified: user.isEmailVerified,
    name: user.nickname ?? user.username,
    nickname: user.handle,
    preferred_username: user.handle,
    picture: user.avatar ? new URL(user.avatar, appUrl).href : undefined,
    locale: user.locale ?? undefined,
    role: user.role,
    updated_at: Math.floor((user.updatedAt?.toMillis() ?? 0) / 1_000),
  }
}

/**
 * Many applications read only the ID token. Without `idTokenClaims`, it contains only requested
 * claims, unless the access token is for another service and refused by userinfo (Core, 5.4).
 */
export function leavesClaimsToUserinfo({ oidc }: Context) {
  const { idTokenClaims }: OwnMetadata = oidc.client.gatehouse
  return !idTokenClaims && oidc.entities.AccessToken?.aud === undefined
}
