import { appUrl } from '#config/app'

/** Returns the address of this installation that the provider must know. */
export function redirectUri(provider: string) {
  return `${appUrl}/auth/external/${provider}/callback`
}
