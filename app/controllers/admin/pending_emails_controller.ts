import { updateUser } from '#users/update_user'
import { askToConfirm, mustConfirm } from '#pages/reauthentication'
import { changeUser } from '#pages/user_page'
import { actorOf } from '#http/request_origin'
import { getTargetUserOrFail } from '#http/target_user'
import type { HttpContext } from '@adonisjs/core/http'

/** An address that waits for its link, of a user or of the administrator themselves. */
export default class PendingEmailsController {
  async destroy(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    if (mustConfirm(ctx, user)) {
      return askToConfirm(ctx, `Withdraw the address that ${user.email} asked for.`)
    }
    const withdraw = () => updateUser(user.id, { pendingEmail: null }, actorOf(ctx))
    return changeUser(ctx, withdraw, `${user.email} stays the address of the account.`)
  }
}
