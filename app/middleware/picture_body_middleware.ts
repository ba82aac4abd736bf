import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import limits from '#config/limits'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'
import { accountBase } from '#pages/account/account_page'
import { keepFile, uploadedForm } from '#http/uploaded_file'

/** The CSRF token is a part of the form, so the form is read but not decoded before the token is verified. */
export default class PictureBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    // A form that was replayed after a sign-in has lost its file.
    if (!ctx.request.is(['multipart/form-data'])) return this.#redirect(ctx)
    const { user } = ctx.auth.use('web').getUserOrFail()
    return withUploadSlot(user.id, async () => {
      if (!(await this.#read(ctx))) return this.#redirect(ctx)
      return next()
    })
  }

  async #read(ctx: HttpContext) {
    try {
      const { file, fields } = await uploadedForm(ctx, 'file', limits.pictureBytes)
      ctx.request.updateBody(fields)
      keepFile(ctx, file)
      return true
    } catch (error) {
      if (!(error instanceof E_PAYLOAD_TOO_LARGE)) throw error
      ctx.session.flash('problem', ctx.i18n.t('account.person.too_large'))
      return false
    }
  }

  #redirect(ctx: HttpContext) {
    return ctx.response.redirect().status(303).toPath(accountBase(ctx))
  }
}
