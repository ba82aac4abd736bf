import type { HttpContext } from '@adonisjs/core/http'
import mfa from '#config/mfa'
import { disableMfa } from '#auth/mfa/disable'
import { beginEnrolment, confirmEnrolment } from '#auth/mfa/enrolment'
import { renewBackupCodes } from '#auth/mfa/renew_backup_codes'
import { otpauthUrlOf } from '#auth/mfa/totp'
import { currentPasswordValidator } from '#validators/auth'
import { bothFactorsValidator, mfaCodeValidator } from '#validators/mfa'
import { renderAccount } from '#pages/account_page'
import { redirectWithNotice } from '#pages/redirect'
import { EMPTY_FORM, submit, type Form } from '#pages/forms'
import { provingCallerOf } from '#http/proving_caller'

const FIELDS = { E_INCORRECT_PASSWORD: 'currentPassword', E_INVALID_CODE: 'code' }

/** The administrator's own second factor. */
export default class AccountMfaController {
  async setup(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: currentPasswordValidator,
      fields: FIELDS,
      perform: (proof) => beginEnrolment(provingCallerOf(ctx, proof)),
      again: (setup) => renderAccount(ctx, { setup }),
    })
    return outcome.isDone ? this.#renderSecret(ctx, outcome.result.secret) : outcome.page
  }

  async enable(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: mfaCodeValidator,
      fields: FIELDS,
      perform: (given) => confirmEnrolment(provingCallerOf(ctx, {}), given),
      again: (form) => this.#renderAgain(ctx, form),
    })
    return outcome.isDone ? this.#renderCodes(ctx, outcome.result) : outcome.page
  }

  async renewCodes(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: bothFactorsValidator,
      fields: FIELDS,
      perform: (proof) => renewBackupCodes(provingCallerOf(ctx, proof)),
      again: (codes) => renderAccount(ctx, { codes }),
    })
    return outcome.isDone ? this.#renderCodes(ctx, outcome.result) : outcome.page
  }

  async disable(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: bothFactorsValidator,
      fields: FIELDS,
      perform: (proof) => disableMfa(provingCallerOf(ctx, proof)),
      again: (disable) => renderAccount(ctx, { disable }),
    })
    return outcome.isDone
      ? redirectWithNotice(ctx, '/admin/account', 'The second factor is off.')
      : outcome.page
  }

  /** A text that is no secret is not drawn as a QR code: the enrolment starts again. */
  #renderAgain(ctx: HttpContext, form: Form) {
    const { secret } = form.input
    const isSecret = typeof secret === 'string' && /^[A-Z2-7]{16,64}$/.test(secret)
    return isSecret ? this.#renderSecret(ctx, secret, form) : renderAccount(ctx)
  }

  async #renderSecret(ctx: HttpContext, secret: string, form: Form = EMPTY_FORM) {
    const { toDataURL } = await import('qrcode')
    const { user } = ctx.auth.use('web').getUserOrFail()
    const qrCode = await toDataURL(otpauthUrlOf(user.email, secret))
    return ctx.view.render('admin/account_mfa', { secret, qrCode, form })
  }

  /** This response is the only place that shows the codes: the database has their hashes. */
  #renderCodes({ view }: HttpContext, backupCodes: string[]) {
    const madeAt = Date.now()
    return view.render('admin/account_codes', { backupCodes, madeAt, issuer: mfa.issuer })
  }
}
