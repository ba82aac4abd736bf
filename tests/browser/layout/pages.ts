import type { HostileData } from './hostile_data.ts'

/** The person who looks at a page. */
export type Viewer = 'nobody' | 'user' | 'admin'

interface LayoutPage {
  viewer: Viewer
  /** The address of the page, if the route has or needs parameters. */
  path?: (data: HostileData) => string
}

const nobody: LayoutPage = { viewer: 'nobody' }
const user: LayoutPage = { viewer: 'user' }
const admin: LayoutPage = { viewer: 'admin' }

const ofUser = (path: string): LayoutPage => ({
  ...admin,
  path: ({ other }) => `/admin/users/${other.id}${path}`,
})

const ofClient = (path: string): LayoutPage => ({
  ...admin,
  path: ({ client }) => `/admin/clients/${client.id}${path}`,
})

const ofGroup = (path: string): LayoutPage => ({
  ...admin,
  path: ({ group }) => `/admin/groups/${group.id}${path}`,
})

const ofWebhook = (path: string): LayoutPage => ({
  ...admin,
  path: ({ webhook }) => `/admin/webhooks/${webhook.id}${path}`,
})

const ofProvider = (path: string): LayoutPage => ({
  ...admin,
  path: ({ provider }) => `/admin/settings/providers/${provider}${path}`,
})

const accountPages = (base: string, viewer: LayoutPage) => ({
  [base]: viewer,
  [`${base}/security`]: viewer,
  [`${base}/sessions`]: viewer,
  [`${base}/activity`]: viewer,
  [`${base}/applications`]: viewer,
  [`${base}/data`]: viewer,
  [`${base}/data/delete`]: viewer,
})

/** Every page that a GET route of the router serves. */
export const PAGES: Record<string, LayoutPage> = {
  ...accountPages('/account', user),
  ...accountPages('/admin/account', admin),
  '/admin': admin,
  '/admin/sessions': admin,
  '/admin/audit': admin,
  '/admin/mails': admin,
  '/admin/keys': admin,
  '/admin/system': admin,
  '/admin/settings': admin,
  '/admin/settings/providers/:name': ofProvider(''),
  '/admin/settings/providers/:name/delete': ofProvider('/delete'),
  '/admin/search': { ...admin, path: ({ other }) => `/admin/search?q=${other.email.slice(0, 14)}` },
  '/admin/keys/rotate': admin,
  '/admin/keys/rotate-now': admin,
  '/admin/clients': admin,
  '/admin/clients/create': { ...admin, path: () => '/admin/clients/create?for=nextcloud' },
  '/admin/clients/:id': ofClient(''),
  '/admin/clients/:id/access': {
    ...admin,
    path: ({ client, other }) => `/admin/clients/${client.id}/access?user=${other.id}`,
  },
  '/admin/users/:id/access': ofUser('/access'),
  '/admin/clients/:id/rotate-secret': ofClient('/rotate-secret'),
  '/admin/clients/:id/delete': ofClient('/delete'),
  '/admin/groups': admin,
  '/admin/groups/create': admin,
  '/admin/groups/:id': ofGroup(''),
  '/admin/groups/:id/delete': ofGroup('/delete'),
  '/admin/webhooks': admin,
  '/admin/webhooks/create': admin,
  '/admin/webhooks/:id': ofWebhook(''),
  '/admin/webhooks/:id/rotate-secret': ofWebhook('/rotate-secret'),
  '/admin/webhooks/:id/delete': ofWebhook('/delete'),
  '/admin/users': admin,
  '/admin/users/create': admin,
  '/admin/users/create-service': admin,
  '/admin/users/invite': admin,
  '/admin/users/:id': ofUser(''),
  '/admin/users/:id/delete': ofUser('/delete'),
  '/admin/setup': nobody,
  '/sign-in': nobody,
  '/sign-in/password': nobody,
  '/sign-in/external/:provider': { ...user, path: () => '/sign-in/external/github' },
  '/sign-in/verification': nobody,
  '/sign-up': nobody,
  '/forgot-password': nobody,
  '/sign-out': user,
  '/confirm': { ...user, path: () => '/confirm?next=/account' },
  '/reset-password': nobody,
  '/accept-invitation': nobody,
  '/verify-email': nobody,
  '/confirm-address': nobody,
  '/undo-email-change': nobody,
  '/not-me': nobody,
  '/oauth/interaction/:uid': { ...user, path: () => '/oauth/interaction/expired' },
  '/oauth/failure': user,
  '/oauth/answer': user,
  '/oauth/logout': user,
  '/oauth/device': user,
}

/** Routes below a page that serve a file or redirect to another page. */
export const NO_PAGES = new Set([
  '/account/security/mfa/codes',
  '/admin/account/security/mfa/codes',
  '/admin/plots/:name',
  '/admin/settings/preview.svg',
  '/admin/clients/:id/allow/:setting',
  '/admin/webhooks/:id/test',
  '/admin/webhooks/:id/replay',
  '/admin/webhooks/:id/deliveries/:deliveryId/retry',
  '/oauth/interaction/:uid/address',
  '/oauth/interaction/:uid/address/:step',
  '/oauth/device/address',
  '/oauth/device/address/:step',
  '/admin/users.csv',
  '/admin/sign-in',
  '/admin/users/:id/api-keys',
  '/admin/users/:id/password',
  '/admin/account/security/api-keys',
  '/admin/account/security/providers/:provider/linked',
  '/account/security/api-keys',
  '/account/security/providers/:provider/linked',
  '/sign-in/external',
])
