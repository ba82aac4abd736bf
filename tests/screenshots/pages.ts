/** Who looks at a page. */
export type Viewer = 'nobody' | 'administrator'

export interface ScreenshotPage {
  name: string
  path: string
  viewer: Viewer
  /** The pictures of it in `docs/images`, by their names without the page's. */
  documented?: ('light' | 'dark' | 'narrow-dark')[]
}

/** The pages that `npm run screenshots` looks at; `:ada` is the id of a user of the demo. */
export const PAGES: ScreenshotPage[] = [
  { name: 'sign-in', path: '/sign-in', viewer: 'nobody', documented: ['light'] },
  { name: 'forgot-password', path: '/forgot-password', viewer: 'nobody' },
  { name: 'verify-email', path: '/verify-email', viewer: 'nobody' },
  {
    name: 'dashboard',
    path: '/admin',
    viewer: 'administrator',
    documented: ['light', 'dark'],
  },
  {
    name: 'users',
    path: '/admin/users',
    viewer: 'administrator',
    documented: ['light', 'dark', 'narrow-dark'],
  },
  {
    name: 'user',
    path: '/admin/users/:ada',
    viewer: 'administrator',
    documented: ['light', 'dark'],
  },
  {
    name: 'sessions',
    path: '/admin/sessions',
    viewer: 'administrator',
    documented: ['light'],
  },
  {
    name: 'audit',
    path: '/admin/audit',
    viewer: 'administrator',
    documented: ['light', 'dark'],
  },
  { name: 'mails', path: '/admin/mails', viewer: 'administrator', documented: ['light'] },
  { name: 'account', path: '/admin/account', viewer: 'administrator', documented: ['light'] },
]
