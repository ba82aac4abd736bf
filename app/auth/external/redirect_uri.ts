import { appUrl } from '#config/app'

/** What the provider has to know of this installation. */
export function redirectUri(provider: string) {
  return `${appUrl}/auth/external/${provider}/callback`
}
