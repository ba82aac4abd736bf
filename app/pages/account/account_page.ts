import type { HttpContext } from '@adonisjs/core/http'
import oidc from '#config/oidc'
import { redirectWithNotice } from '../redirect.ts'

/* The pages are at `/account`, and in the console, which has them even with `HOSTED_PAGES=off`. */

const IN_CONSOLE = '/admin/account'

/** The title of each is the message `account.nav.<id>`. */
const NAV_ITEMS = [
  { id: 'profile', path: '', icon: 'person' },
  { id: 'security', path: '/security', icon: 'shield' },
  { id: 'sessions', path: '/sessions', icon: 'screen' },
  ...(oidc.isOn ? [{ id: 'applications', path: '/applications', icon: 'key' }] : []),
  { id: 'activity', path: '/activity', icon: 'list' },
  { id: 'data', path: '/data', icon: 'archive' },
]

const CONSOLE_ITEM = { id: 'console', path: '/admin', icon: 'chart', isApart: true }

export function accountBase({ request }: HttpContext) {
  return request.url().startsWith(IN_CONSOLE) ? IN_CONSOLE : '/account'
}

export function renderAccountPage(ctx: HttpContext, view: string, state: object = {}) {
  const { user, hasRecentAuthentication } = ctx.auth.use('web').getUserOrFail()
  const base = accountBase(ctx)
  const isConsole = base === IN_CONSOLE
  const own = NAV_ITEMS.map((item) => ({ ...item, path: base + item.path }))
  const items = user.isAdmin && !isConsole ? [...own, CONSOLE_ITEM] : own
  ctx.view.share({ account: { base, items, user, isConsole } })
  return ctx.view.render(`account/${view}`, { user, hasRecentAuthentication, ...state })
}

interface Target {
  /** The path below the base, such as `/security`; empty for the first page. */
  page?: string
  /** The message `account.<notice>`. */
  notice: string
  values?: Record<string, string>
}

export function redirectToAccount(ctx: HttpContext, { page = '', notice, values }: Target) {
  return redirectWithNotice(ctx, accountBase(ctx) + page, ctx.i18n.t(`account.${notice}`, values))
}
