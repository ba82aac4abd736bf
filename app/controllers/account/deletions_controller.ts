import type { HttpContext } from '@adonisjs/core/http'
import { clearSessionCookie } from '#auth/guards/web/session_cookie'
import { deleteProfile } from '#users/profile'
import { deletionValidator } from '#validators/account'
import { renderAccountPage } from '#pages/account/account_page'
import { EMPTY_FORM, submit } from '#pages/forms/forms'
import { renderMessage } from '#pages/sign_in/link_pages'
import { reauthenticationOf } from '#http/reauthentication'

export default class DeletionsController {
  create(ctx: HttpContext) {
    return renderAccountPage(ctx, 'data/delete', { form: EMPTY_FORM })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: deletionValidator,
      action: () => deleteProfile(reauthenticationOf(ctx, {})),
      onError: (form) => renderAccountPage(ctx, 'data/delete', { form }),
    })
    if (!outcome.ok) return outcome.page
    clearSessionCookie(ctx)
    const { i18n } = ctx
    const title = i18n.t('account.deletion.done_title')
    return renderMessage(ctx, { title, text: i18n.t('account.deletion.done_text') })
  }
}
