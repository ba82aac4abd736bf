import { findGroup } from '#groups/group_rows'
import { groupNamesOf } from '#groups/names_of'
import { CLAIMS, claimsOf } from '#oidc/tokens/claims'
import { readClientClaims } from '#oidc/tokens/client_claims'
import { mayEnter } from './may_enter.ts'
import type User from '#models/user'
import type { OAuthClient } from '#oidc/clients/client'

export interface AccessPreview {
  allowed: boolean
  /** The name of the group that gives access; null where everybody has it, or the user has none. */
  group: string | null
  /** What a token with all scopes of the client carries, but what a session adds. */
  claims: Record<string, unknown>
}

export async function previewAccess(client: OAuthClient, user: User): Promise<AccessPreview> {
  const known: Record<string, unknown> = { ...claimsOf(user), groups: await groupNamesOf(user) }
  const names = client.scopes.flatMap((scope) => CLAIMS[scope] ?? [])
  const covered = names.filter((name) => known[name] !== undefined)
  const { claims } = await readClientClaims(client, user, client.scopes)
  return {
    allowed: mayEnter(client, user),
    group: await findGroupOfAccess(client, user),
    claims: { ...Object.fromEntries(covered.map((name) => [name, known[name]])), ...claims },
  }
}

async function findGroupOfAccess({ access, allowedGroupIds }: OAuthClient, { groupIds }: User) {
  const own = access === 'groups' ? (groupIds?.split(' ') ?? []) : []
  const id = allowedGroupIds.find((each) => own.includes(each))
  const group = id ? await findGroup(id) : null
  return group?.name ?? null
}
