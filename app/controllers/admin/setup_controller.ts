import type { HttpContext } from '@adonisjs/core/http'
import { anonymousActor } from '#audit/actor'
import { E_INVALID_TOKEN } from '#auth/errors'
import { createFirstAdmin, isSetupToken } from '#users/first_admin'
import { sourceOf } from '#http/request_source'
import { setupValidator } from '#validators/admin'
import { signInByPage } from '#pages/sign_in/page_sign_in'
import { type Form, submit } from '#pages/forms/forms'
import { respondToSignIn } from '#pages/sign_in/sign_in_pages'

export default class SetupController {
  async create(ctx: HttpContext) {
    const token = String(ctx.request.qs().token ?? '')
    if (!(await isSetupToken(token))) return this.#renderInvalidLink(ctx)
    return this.#render(ctx, { input: { token }, errors: {} })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: setupValidator,
      fields: { E_EMAIL_TAKEN: 'email' },
      action: (admin) => this.#createAdmin(ctx, admin),
      onError: (form) =>
        form.errors.form ? this.#renderInvalidLink(ctx) : this.#render(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    ctx.session.flash('notice', ctx.i18n.t('console.setup.welcome'))
    return respondToSignIn(ctx, outcome.result, '/admin')
  }

  async #createAdmin(ctx: HttpContext, values: SetupValues) {
    const { token: setupToken, ...admin } = values
    if (!(await isSetupToken(setupToken))) throw new E_INVALID_TOKEN()
    const actor = anonymousActor(sourceOf(ctx))
    const user = await createFirstAdmin(admin, { setupToken }, actor)
    if (!user) throw new E_INVALID_TOKEN()
    return signInByPage(ctx, admin)
  }

  #render(ctx: HttpContext, form: Form) {
    ctx.response.header('referrer-policy', 'no-referrer')
    const page = { form, token: form.input.token }
    return ctx.view.render('admin/setup', page)
  }

  #renderInvalidLink(ctx: HttpContext) {
    ctx.response.status(404)
    return ctx.view.render('pages/message', {
      title: ctx.i18n.t('links.invalid.title'),
      text: ctx.i18n.t('console.setup.invalid'),
      link: { path: '/sign-in', text: ctx.i18n.t('console.setup.to_sign_in') },
      other: null,
      requestId: null,
    })
  }
}

interface SetupValues {
  token: string
  email: string
  username: string
  password: string
}
