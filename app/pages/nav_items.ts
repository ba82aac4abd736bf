import signingKeys from '#config/signing_keys'
import { hasKnownKeys } from '#auth/signing_keys/known_keys'

const navItems = [
  { id: 'dashboard', path: '/admin', title: 'Dashboard', icon: 'chart' },
  { id: 'users', path: '/admin/users', title: 'Users', icon: 'people' },
  { id: 'sessions', path: '/admin/sessions', title: 'Sessions', icon: 'screen' },
  { id: 'audit', path: '/admin/audit', title: 'Audit', icon: 'list' },
  { id: 'mails', path: '/admin/mails', title: 'Mail', icon: 'mail' },
  { id: 'keys', path: '/admin/keys', title: 'Keys', icon: 'key' },
  { id: 'account', path: '/admin/account', title: 'Account', icon: 'person' },
]

/** Keys are of interest where key pairs sign, or did. */
export function consoleNavItems() {
  const hasKeys = signingKeys.algorithm !== 'HS256' || hasKnownKeys()
  return hasKeys ? navItems : navItems.filter(({ id }) => id !== 'keys')
}
