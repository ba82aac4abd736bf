import { findGroupByName } from '#groups/group_rows'
import { sendsAddress } from '#oidc/clients/claims'
import { previewOf, type Preview } from '#oidc/tokens/preview'
import type User from '#models/user'
import type { OAuthClient } from '#oidc/clients/client'

interface Reason {
  /** The last part of the message key `access.reason.<name>`. */
  name: string
  stops: boolean
  path: string
  values?: object
}

/** Tells why the user may or may not use the application, and all that must be changed. */
export async function explainAccess(client: OAuthClient, user: User) {
  const preview = await previewOf(client, user)
  const reasons = [await reasonOfAccess(client, user, preview), ...reasonsOfUser(client, user)]
  const claims = Object.entries(preview.claims).filter(([, value]) => value !== undefined)
  return {
    reasons,
    enters: reasons.every(({ stops }) => !stops),
    claims: claims.map(([name, value]) => ({ name, value: JSON.stringify(value) })),
  }
}

async function reasonOfAccess(
  client: OAuthClient,
  { id }: User,
  { allowed, group }: Preview
): Promise<Reason> {
  const form = `/admin/clients/${client.id}#details`
  if (client.access === 'everybody') return { name: 'everybody', stops: false, path: form }
  if (client.allowedGroupIds.length === 0) return { name: 'none_chosen', stops: true, path: form }
  if (!allowed) return { name: 'no_group', stops: true, path: `/admin/users/${id}#groups` }
  const found = group ? await findGroupByName(group) : null
  return {
    name: 'group',
    stops: false,
    path: `/admin/groups/${found?.id ?? ''}`,
    values: { group },
  }
}

function reasonsOfUser(client: OAuthClient, user: User): Reason[] {
  const asksForAddress = client.requireVerifiedEmail && sendsAddress(client, client.scopes)
  const found = {
    service: user.isService,
    disabled: user.isDisabled,
    locked: user.currentLockKind === 'administrator',
    mfa: client.requireMfa && !user.isService && !user.mfaEnabled && !user.hasPasskey,
    unverified: asksForAddress && !user.isService && !user.isEmailVerified,
  }
  const names = Object.entries(found).filter(([, isSo]) => isSo)
  return names.map(([name]) => ({ name, stops: true, path: `/admin/users/${user.id}` }))
}
