import { disableUser, enableUser } from '#users/disable_user'
import { disableValidator } from '#validators/admin'
import { inputOf } from '#pages/forms/forms'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserDisablingsController {
  async store(ctx: HttpContext) {
    const { reason } = await disableValidator.validate(inputOf(ctx))
    return changeTarget(ctx, ({ id }) => disableUser(id, { reason }, actorOf(ctx)), 'disabled')
  }

  destroy(ctx: HttpContext) {
    return changeTarget(ctx, ({ id }) => enableUser(id, actorOf(ctx)), 'enabled')
  }
}
