import signingKeys from '#config/signing_keys'
import { hasKnownKeys } from '#auth/signing_keys/known_keys'

const navItems = [
  { id: 'dashboard', path: '/admin', icon: 'chart' },
  { id: 'users', path: '/admin/users', icon: 'people' },
  { id: 'sessions', path: '/admin/sessions', icon: 'screen' },
  { id: 'audit', path: '/admin/audit', icon: 'list' },
  { id: 'mails', path: '/admin/mails', icon: 'mail' },
  { id: 'keys', path: '/admin/keys', icon: 'key' },
  { id: 'account', path: '/admin/account', icon: 'person' },
]

/** Keys are of interest where key pairs sign, or did. */
export function consoleNavItems() {
  const hasKeys = signingKeys.algorithm !== 'HS256' || hasKnownKeys()
  return hasKeys ? navItems : navItems.filter(({ id }) => id !== 'keys')
}
