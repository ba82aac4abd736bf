import { updateUser } from '#users/update_user'
import { changeUser } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'

export default class PendingEmailsController {
  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    const withdraw = () => updateUser(user.id, { pendingEmail: null }, actorOf(ctx))
    return changeUser(
      ctx,
      withdraw,
      ctx.i18n.t('console.notice.address_stays', { user: user.email })
    )
  }
}
