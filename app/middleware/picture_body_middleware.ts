import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import limits from '#config/limits'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'
import { accountBase } from '#pages/account/account_page'
import { uploadedForm } from '#http/uploaded_file'
import { setUpload } from '#http/upload'

interface PictureForm {
  limit: number
  tooLarge: string
  /** The page that a form without its file leads to, and the message shown there. */
  back: (ctx: HttpContext) => string
  lost?: string
}

const FORMS = {
  avatar: { limit: limits.pictureBytes, tooLarge: 'account.person.too_large', back: accountBase },
  logo: {
    limit: limits.clientLogoBytes,
    tooLarge: 'clients.logo.too_large',
    back: ({ params }) => `/admin/clients/${params.id}`,
    lost: 'clients.logo.again',
  },
  brand: {
    limit: limits.brandLogoBytes,
    tooLarge: 'clients.logo.too_large',
    back: () => '/admin/settings',
    lost: 'clients.logo.again',
  },
} satisfies Record<string, PictureForm>

/** The CSRF token is a part of the form, so the form is read but not decoded before the token is verified. */
export default class PictureBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { of }: { of: keyof typeof FORMS }) {
    const form: PictureForm = FORMS[of]
    // A form that was replayed after a sign-in has lost its file.
    if (!ctx.request.is(['multipart/form-data'])) return this.#redirect(ctx, form, form.lost)
    const { user } = ctx.auth.use('web').getUserOrFail()
    return withUploadSlot(user.id, async () => {
      if (await this.#read(ctx, form)) return next()
      return this.#redirect(ctx, form, form.tooLarge)
    })
  }

  async #read(ctx: HttpContext, { limit }: PictureForm) {
    try {
      const { file, fields } = await uploadedForm(ctx, 'file', limit)
      ctx.request.updateBody(fields)
      setUpload(ctx, file)
      return true
    } catch (error) {
      if (error instanceof E_PAYLOAD_TOO_LARGE) return false
      throw error
    }
  }

  #redirect(ctx: HttpContext, { back }: PictureForm, problem?: string) {
    if (problem) ctx.session.flash('problem', ctx.i18n.t(problem))
    return ctx.response.redirect().status(303).toPath(back(ctx))
  }
}
