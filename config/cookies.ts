import { isHttps } from '#config/app'

/*
| Cookies ignore ports: `session` here would overwrite the session of an application on the same
| host. On https, a prefix keeps a neighbouring domain from setting them (RFC 6265bis, 4.1.3).
*/

export function cookieName(name: string) {
  return `${isHttps ? '__Host-' : ''}gatehouse_${name}`
}

/** For a cookie with its own path, which `__Host-` does not allow. */
export function interactionCookieName(name: string) {
  return `${isHttps ? '__Secure-' : ''}gatehouse_${name}`
}
