import { listWaysIn } from '#users/ways_in'
import { findPasswordToken, mayRemoveWaysIn } from '#users/password_recovery'
import { renderInvalidLink } from './link_pages.ts'
import { nextPath } from './next_path.ts'
import type { Form } from './forms.ts'
import type { HttpContext } from '@adonisjs/core/http'

/** The keys of the texts of each page. */
const TEXTS = {
  '/reset-password': {
    title: 'links.reset.title',
    lead: 'links.reset.lead',
    button: 'links.reset.button',
  },
  '/accept-invitation': {
    title: 'links.invitation.title',
    lead: 'links.invitation.lead',
    button: 'links.invitation.button',
  },
}

const NO_WAYS_IN = { identities: [], passkeys: [], apiKeys: [] }

/** The form, while its token is valid. */
export async function renderPasswordForm(
  ctx: HttpContext,
  form: Form,
  path = ctx.request.url() as keyof typeof TEXTS
) {
  const { token } = form.input
  const valid = typeof token === 'string' ? await findPasswordToken(token) : null
  if (!valid) return renderInvalidLink(ctx)
  const page = { ...textsOf(ctx, path), path, form, token, email: valid.email }
  const waysIn = mayRemoveWaysIn(valid) ? await listWaysIn(valid.userId) : NO_WAYS_IN
  return ctx.view.render('pages/set_password', { ...page, ...waysIn, next: givenNext(ctx) })
}

function textsOf({ i18n }: HttpContext, path: keyof typeof TEXTS) {
  const { title, lead, button } = TEXTS[path]
  return { title: i18n.t(title), lead: i18n.t(lead), button: i18n.t(button) }
}

/** Set where a sign-in has led to this page, which it goes on to afterwards. */
export function givenNext({ request }: HttpContext) {
  const next = request.body().next ?? request.qs().next
  return next === undefined ? null : nextPath(next)
}
