import { listWaysIn } from '#users/ways_in'
import { findPasswordToken, mayRemoveWaysIn } from '#users/password_recovery'
import { renderInvalidLink } from './link_pages.ts'
import { passwordHint } from './password_hint.ts'
import type { Form } from './forms.ts'
import type { HttpContext } from '@adonisjs/core/http'

const TEXTS = {
  '/reset-password': {
    title: 'Set a new password',
    lead: 'Everything that is signed in with the old one will be signed out.',
    button: 'Set the password',
  },
  '/accept-invitation': {
    title: 'Welcome',
    lead: 'Choose a password, and the account is yours.',
    button: 'Accept the invitation',
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
  const page = { ...TEXTS[path], path, form, token, email: valid.email, passwordHint }
  const waysIn = mayRemoveWaysIn(valid) ? await listWaysIn(valid.userId) : NO_WAYS_IN
  return ctx.view.render('pages/set_password', { ...page, ...waysIn })
}
