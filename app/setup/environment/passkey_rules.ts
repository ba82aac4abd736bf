import ipaddr from 'ipaddr.js'
import { isMissing, list, type Rule } from './rules.ts'

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(localhost|(${LABEL}\\.)+${LABEL})$`)

/** A single label such as `org` would share passkeys with every domain below it. */
export function relyingPartyId(): Rule<string | undefined> {
  return (name, value) => {
    if (isMissing(value)) return undefined
    const domain = value.trim().toLowerCase()
    if (DOMAIN.test(domain) && !ipaddr.isValid(domain)) return domain
    throw new Error(`${name} must be a domain such as example.org, without scheme and port`)
  }
}

/** How Android names an app: the SHA-256 of the certificate that signs it. */
const ANDROID_APP = /^android:apk-key-hash:[\w-]{43}$/

export function passkeyOrigins(): Rule<string[]> {
  return (name, value) =>
    list()(name, value).map((item) => {
      const origin = ANDROID_APP.test(item) ? item : pageOrigin(item)
      if (origin) return origin
      throw new Error(`${name} must list https origins such as https://app.example.org`)
    })
}

/** Browsers offer passkeys to https, and to plain http only on this machine. */
function pageOrigin(item: string) {
  const url = URL.parse(item)
  if (!url || url.username || url.pathname !== '/' || url.search || url.hash) return null
  const isSecure = url.protocol === 'https:'
  const isLocal = url.protocol === 'http:' && url.hostname === 'localhost'
  return isSecure || isLocal ? url.origin : null
}
