import { API_SCOPES, IDENTITY_SCOPES, type OAuthClient } from './client.ts'

type Scoped = Pick<OAuthClient, 'kind' | 'scopes'>

/** A first-party client always gets the groups. */
export function scopesOfIdentity({ kind, scopes }: Scoped): string[] {
  const registered = IDENTITY_SCOPES.filter((each) => scopes.includes(each))
  const own: string[] = registered.length > 0 ? registered : ['openid']
  return kind === 'first_party' ? [...new Set([...own, 'groups'])] : own
}

/** Returns the scopes of tokens for our API. */
export function scopesOfApi(client: Scoped): string[] {
  const ofApi = API_SCOPES.filter((scope) => client.scopes.includes(scope))
  return [...scopesOfIdentity(client), ...ofApi]
}
