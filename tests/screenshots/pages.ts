import type { Person } from './people.ts'

/** The person who looks at a page. */
export type Viewer = 'nobody' | 'administrator' | Person

export interface ScreenshotPage {
  name: string
  path: string
  viewer: Viewer
  /** The button to press first: the picture shows the page that follows. */
  press?: string
  /** The pictures of the page in `docs/images`, by their names without the name of the page. */
  documented?: ('light' | 'narrow-dark')[]
}

/** The pages that `npm run screenshots` takes. `:ada` and similar parts are ids of the demo. */
export const PAGES: ScreenshotPage[] = [
  { name: 'sign-in', path: '/sign-in', viewer: 'nobody', documented: ['light'] },
  { name: 'sign-up', path: '/sign-up', viewer: 'nobody' },
  { name: 'forgot-password', path: '/forgot-password', viewer: 'nobody' },
  { name: 'verify-email', path: '/verify-email', viewer: 'nobody' },
  {
    name: 'dashboard',
    path: '/admin',
    viewer: 'administrator',
    documented: ['light'],
  },
  {
    name: 'users',
    path: '/admin/users',
    viewer: 'administrator',
    documented: ['light', 'narrow-dark'],
  },
  {
    name: 'user',
    path: '/admin/users/:ada',
    viewer: 'administrator',
    documented: ['light'],
  },
  {
    name: 'sessions',
    path: '/admin/sessions',
    viewer: 'administrator',
  },
  {
    name: 'audit',
    path: '/admin/audit',
    viewer: 'administrator',
    documented: ['light'],
  },
  { name: 'mails', path: '/admin/mails', viewer: 'administrator' },
  {
    name: 'applications',
    path: '/admin/clients',
    viewer: 'administrator',
    documented: ['light'],
  },
  {
    name: 'application-create',
    path: '/admin/clients/create?for=grafana',
    viewer: 'administrator',
  },
  {
    name: 'application',
    path: '/admin/clients/:grafana',
    viewer: 'administrator',
    documented: ['light'],
  },
  { name: 'application-delete', path: '/admin/clients/:grafana/delete', viewer: 'administrator' },
  { name: 'access', path: '/admin/clients/:grafana/access?user=:ada', viewer: 'administrator' },
  { name: 'user-access', path: '/admin/users/:ada/access', viewer: 'administrator' },
  { name: 'user-delete', path: '/admin/users/:ada/delete', viewer: 'administrator' },
  { name: 'user-create', path: '/admin/users/create', viewer: 'administrator' },
  { name: 'user-invite', path: '/admin/users/invite', viewer: 'administrator' },
  { name: 'groups', path: '/admin/groups', viewer: 'administrator' },
  { name: 'group', path: '/admin/groups/:group', viewer: 'administrator' },
  { name: 'webhooks', path: '/admin/webhooks', viewer: 'administrator' },
  { name: 'webhook-create', path: '/admin/webhooks/create', viewer: 'administrator' },
  { name: 'webhook', path: '/admin/webhooks/:webhook', viewer: 'administrator' },
  {
    name: 'webhook-rotate',
    path: '/admin/webhooks/:webhook/rotate-secret',
    viewer: 'administrator',
  },
  { name: 'keys', path: '/admin/keys', viewer: 'administrator' },
  { name: 'system', path: '/admin/system', viewer: 'administrator', documented: ['light'] },
  { name: 'settings', path: '/admin/settings', viewer: 'administrator', documented: ['light'] },
  { name: 'provider', path: '/admin/settings/providers/google', viewer: 'administrator' },
  { name: 'provider-given', path: '/admin/settings/providers/github', viewer: 'administrator' },
  { name: 'nowhere', path: '/admin/nowhere', viewer: 'administrator' },
  { name: 'search', path: '/admin/search?q=ada', viewer: 'administrator' },
  {
    name: 'users-filtered',
    path: '/admin/users?status=active&mfa=no',
    press: '.filters-fold summary',
    viewer: 'administrator',
  },
  { name: 'console-account', path: '/admin/account/security', viewer: 'administrator' },
  {
    name: 'application-registered',
    path: '/admin/clients/create?for=nextcloud',
    press: 'main form .button-primary',
    viewer: 'administrator',
    documented: ['light'],
  },
  { name: 'account', path: '/account', viewer: 'person', documented: ['light'] },
  { name: 'account-newcomer', path: '/account', viewer: 'newcomer' },
  { name: 'account-security', path: '/account/security', viewer: 'person', documented: ['light'] },
  { name: 'account-security-newcomer', path: '/account/security', viewer: 'newcomer' },
  { name: 'account-sessions', path: '/account/sessions', viewer: 'person' },
  { name: 'account-applications', path: '/account/applications', viewer: 'person' },
  { name: 'account-activity', path: '/account/activity', viewer: 'person' },
  { name: 'account-data', path: '/account/data', viewer: 'person' },
  { name: 'account-delete', path: '/account/data/delete', viewer: 'person' },
  { name: 'hostile-account', path: '/account', viewer: 'hostile' },
  { name: 'hostile-security', path: '/account/security', viewer: 'hostile' },
  { name: 'hostile-sessions', path: '/account/sessions', viewer: 'hostile' },
  { name: 'hostile-activity', path: '/account/activity', viewer: 'hostile' },
  { name: 'confirm', path: '/confirm?next=/account', viewer: 'person' },
  { name: 'sign-out', path: '/sign-out', viewer: 'person' },
]
