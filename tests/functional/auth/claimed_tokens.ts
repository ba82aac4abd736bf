import { randomUUID } from 'node:crypto'
import limits from '#config/limits'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { bearer, createUser, decodeClaims } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'
import type { ClaimSources } from '#auth/claims/claim_sources'

/* Access tokens with claims of `TOKEN_CLAIMS`. */

export function setClaims(claims: ClaimSources, claimBytes = limits.claimBytes) {
  Object.assign(tokens, { claims, claimBytes })
}

export const newGroup = (start = 'Staff') =>
  createGroup({ name: `${start} ${randomUUID()}` }, SYSTEM)

export async function memberOf(...groups: { id: string }[]) {
  const user = await createUser()
  for (const { id } of groups) await addMember(user.id, id, SYSTEM)
  return user
}

/** Returns 200, or 401 if the token counts as revoked. */
export async function statusOf(client: ApiClient, headers: Record<string, string>) {
  const response = await client.get('/auth/profile').headers(headers)
  if (response.status() === 401) response.assertBodyContains({ code: 'E_TOKEN_REVOKED' })
  return response.status()
}

export async function refreshed(client: ApiClient, refreshToken: string) {
  const response = await client.post('/auth/refresh').json({ refreshToken })
  response.assertStatus(200)
  const { accessToken } = response.body()
  return { claims: decodeClaims(accessToken), headers: bearer(accessToken) }
}
