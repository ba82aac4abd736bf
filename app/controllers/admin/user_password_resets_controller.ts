import { sendPasswordReset } from '#users/request_password_reset'
import { changeUser, mailNotice } from '#pages/users/user_page'
import { getTargetUserOrFail } from '#http/target_user'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserPasswordResetsController {
  async store(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const notice = ctx.i18n.t('console.notice.mail_reset', { user: user.email })
    return changeUser(ctx, () => sendPasswordReset(user, actorOf(ctx)), mailNotice(notice))
  }
}
