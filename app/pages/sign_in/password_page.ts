import User from '#models/user'
import { needsMultiFactorMethod } from '#auth/sessions/required_factors'
import { listSignInMethods } from '#users/sign_in_methods'
import { findPasswordToken, isMailed } from '#users/password_recovery'
import { renderInvalidLink } from './link_pages.ts'
import { requestedNext, withNext } from './next_path.ts'
import type { Form } from '#pages/forms/forms'
import type { HttpContext } from '@adonisjs/core/http'

const TEXTS = {
  '/reset-password': {
    title: 'links.reset.title',
    lead: 'links.reset.lead',
    button: 'links.reset.button',
    invalid: 'password',
  },
  '/accept-invitation': {
    title: 'links.invitation.title',
    lead: 'links.invitation.lead',
    button: 'links.invitation.button',
    invalid: 'invitation',
  },
  '/sign-in/password': {
    title: 'links.handed_over.title',
    lead: 'links.handed_over.lead',
    button: 'links.handed_over.button',
    invalid: 'handed_over',
  },
} as const

type PasswordPath = keyof typeof TEXTS

const HANDED_OVER = 'passwordToken'

/** Flashes the token in the encrypted cookie: a URL leaks through history, logs and referrers. */
export function redirectToPasswordForm(
  { session, response }: HttpContext,
  token: string,
  next: string
) {
  session.flash(HANDED_OVER, token)
  return response.redirect().status(303).toPath(withNext('/sign-in/password', next))
}

/** Returns an empty text without a previous sign-in. A reload shows the form again. */
export function handedOverToken({ session }: HttpContext): string {
  session.reflashOnly([HANDED_OVER])
  return session.flashMessages.get(HANDED_OVER, '')
}

const NO_METHODS = { identities: [], passkeys: [], apiKeys: [], keepsPasskeys: false }

export async function renderPasswordForm(
  ctx: HttpContext,
  form: Form,
  path = ctx.request.url() as PasswordPath
) {
  const { token } = form.input
  const valid = typeof token === 'string' ? await findPasswordToken(token) : null
  if (!valid) return renderInvalidLink(ctx, TEXTS[path].invalid)
  const page = { ...textsOf(ctx, path), path, form, token, email: valid.email }
  const methods = isMailed(valid) ? await methodsOf(valid.userId) : NO_METHODS
  const next = path === '/sign-in/password' ? requestedNext(ctx) : null
  return ctx.view.render('pages/set_password', { ...page, ...methods, next })
}

async function methodsOf(userId: string) {
  const user = await User.find(userId)
  return {
    ...(await listSignInMethods(userId)),
    keepsPasskeys: user !== null && needsMultiFactorMethod(user),
  }
}

function textsOf({ i18n }: HttpContext, path: PasswordPath) {
  const { title, lead, button } = TEXTS[path]
  return { title: i18n.t(title), lead: i18n.t(lead), button: i18n.t(button) }
}
