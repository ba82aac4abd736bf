import { findPasswordToken, resetPassword } from '#users/password_recovery'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { originOf } from '#http/request_origin'
import { submit, type Form } from '#pages/forms'
import { passwordHint } from '#pages/password_hint'
import { passwordPageValidator } from '#validators/pages'
import { linkToken, renderMessage, renderInvalidLink } from '#pages/link_pages'
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

/** Setting a password by the link of a mail: after a forgotten one, or the first of an invitation. */
export default class PasswordsController {
  create(ctx: HttpContext) {
    return renderPasswordForm(ctx, { input: { token: linkToken(ctx) }, errors: {} })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: passwordPageValidator,
      perform: (values) => this.#setPassword(ctx, values),
      again: (form) => renderPasswordForm(ctx, form),
    })
    if (!outcome.isDone) return outcome.page
    return renderMessage(ctx, {
      title: 'Your password is set',
      text: 'Sign in with it wherever you want to go on. You can close this page.',
    })
  }

  /** The throttle is a call here: the form shows its refusal. */
  async #setPassword(ctx: HttpContext, values: { token: string; password: string }) {
    await throttleAddress('redeem', ctx.request.ip())
    return resetPassword(values, originOf(ctx))
  }
}

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
  return ctx.view.render('pages/set_password', page)
}
