import oidc from '#config/oidc'
import signingKeys from '#config/signing_keys'
import { hasCachedKeys } from '#auth/signing_keys/cached_keys'

export interface NavItem {
  id: string
  path: string
  icon: string
  isApart?: boolean
}

const navItems: NavItem[] = [
  { id: 'dashboard', path: '/admin', icon: 'chart' },
  { id: 'users', path: '/admin/users', icon: 'people' },
  { id: 'groups', path: '/admin/groups', icon: 'group' },
  { id: 'sessions', path: '/admin/sessions', icon: 'screen' },
  { id: 'audit', path: '/admin/audit', icon: 'list' },
  { id: 'mails', path: '/admin/mails', icon: 'mail' },
  { id: 'clients', path: '/admin/clients', icon: 'grid' },
  { id: 'webhooks', path: '/admin/webhooks', icon: 'bell' },
  { id: 'keys', path: '/admin/keys', icon: 'key' },
  { id: 'system', path: '/admin/system', icon: 'pulse' },
  { id: 'settings', path: '/admin/settings', icon: 'sliders' },
  { id: 'account', path: '/admin/account', icon: 'person' },
]

/** Only key pairs have public keys to show, and only the OpenID provider has clients. */
export function consoleNavItems() {
  const hidden = new Set<string>()
  if (signingKeys.algorithm === 'HS256' && !hasCachedKeys()) hidden.add('keys')
  if (!oidc.isOn) hidden.add('clients')
  return navItems.filter(({ id }) => !hidden.has(id))
}

/** Items that a phone shows beside “More”. */
const SHOWN = 5

/** The open page stays visible. A sixth item replaces “More”, which would hide only that item. */
export function foldNav<Item extends { id: string }>(items: Item[], current: string) {
  const isAll = items.length <= SHOWN + 1
  const at = items.findIndex(({ id }) => id === current)
  const shown = at < SHOWN ? SHOWN : SHOWN - 1
  return items.map((item, index) => ({
    ...item,
    isFolded: !isAll && index >= shown && index !== at,
  }))
}
