import { resetPassword } from '#users/password_recovery'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { sourceOf } from '#http/request_source'
import { errorsOf } from '#pages/forms/form_errors'
import { submit } from '#pages/forms/forms'
import { signInByPage } from '#pages/sign_in/page_sign_in'
import { handedOverToken, renderPasswordForm } from '#pages/sign_in/password_page'
import { renderSignIn, respondToSignIn } from '#pages/sign_in/sign_in_pages'
import { passwordPageValidator } from '#validators/pages'
import { linkToken, renderMessage, nextLink } from '#pages/sign_in/link_pages'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'

type PasswordForm = Infer<typeof passwordPageValidator>

export default class PasswordsController {
  create(ctx: HttpContext) {
    return renderPasswordForm(ctx, { input: { token: linkToken(ctx) }, errors: {} })
  }

  /** For a sign-in with a temporary password, which continues afterwards. */
  createAndSignIn(ctx: HttpContext) {
    return renderPasswordForm(ctx, { input: { token: handedOverToken(ctx) }, errors: {} })
  }

  async store(ctx: HttpContext) {
    const outcome = await this.#submit(ctx)
    if (!outcome.ok) return outcome.page
    const isLocked = outcome.result.user.currentLockKind === 'administrator'
    return renderMessage(ctx, {
      title: ctx.i18n.t('links.set.title'),
      text: ctx.i18n.t(isLocked ? 'errors.locked_by_administrator' : 'links.set.text'),
      link: isLocked ? null : nextLink(ctx),
    })
  }

  /** Takes no mailed token: another site could sign its visitors in to an account of its own. */
  async storeAndSignIn(ctx: HttpContext) {
    const outcome = await this.#submit(ctx, ['password_change'])
    if (!outcome.ok) return outcome.page
    const { user, password } = outcome.result
    return this.#signIn(ctx, { email: user.email, password })
  }

  #submit(ctx: HttpContext, purposes?: OneTimePurpose[]) {
    return submit(ctx, {
      validator: passwordPageValidator,
      action: (values) => this.#setPassword(ctx, { ...values, purposes }),
      onError: (form) => renderPasswordForm(ctx, form),
    })
  }

  /** Calls the throttle and uses no middleware, so that the form shows its refusal. */
  async #setPassword(ctx: HttpContext, values: PasswordForm & { purposes?: OneTimePurpose[] }) {
    await throttleAddress('redeem', ctx.request.ip())
    const { user } = await resetPassword(values, sourceOf(ctx))
    return { user, password: values.password }
  }

  /** Applies every limit and further step of a sign-in. */
  async #signIn(ctx: HttpContext, credentials: { email: string; password: string }) {
    try {
      return await respondToSignIn(ctx, await signInByPage(ctx, credentials))
    } catch (error) {
      const errors = errorsOf(error, {}, ctx.i18n)
      if (!errors) throw error
      const input = { email: credentials.email }
      return renderSignIn(ctx, { status: error.status, form: { input, errors } })
    }
  }
}
