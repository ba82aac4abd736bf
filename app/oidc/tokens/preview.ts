import { groupNamesOf } from '#groups/names_of'
import { mayAccess } from '#oidc/clients/access/may_access'
import { scopesOfIdentity } from '#oidc/clients/scopes'
import { CLAIMS, claimsOf } from './claims.ts'
import { readClientClaims } from './client_claims.ts'
import type User from '#models/user'
import type { OAuthClient } from '#oidc/clients/client'

export interface Preview {
  allowed: boolean
  /** The group by which the user may enter; null if everybody may enter or the user may not. */
  group: string | null
  /** What a token would carry for all scopes of the client. */
  claims: Record<string, unknown>
}

export async function previewOf(client: OAuthClient, user: User): Promise<Preview> {
  const names = await groupNamesOf(user)
  const allowed = mayAccess(client, user)
  const opening = client.allowedGroups.find((name) => names.includes(name))
  const group = client.access === 'groups' && allowed ? (opening ?? null) : null
  return { allowed, group, claims: await claimsFor(client, user, names) }
}

async function claimsFor(client: OAuthClient, user: User, groups: string[]) {
  const scopes = ['openid', ...scopesOfIdentity(client)]
  const known = { ...claimsOf(user), groups }
  const wanted = scopes.flatMap((scope) => CLAIMS[scope] ?? [])
  const standard = Object.entries(known).filter(([name]) => wanted.includes(name))
  const { claims } = await readClientClaims(client, user, scopes)
  return { ...Object.fromEntries(standard), ...claims }
}
