import { lockUser, unlockUser } from '#users/lock_user'
import { lockValidator } from '#validators/admin'
import { inputOf } from '#pages/forms/forms'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserLocksController {
  async store(ctx: HttpContext) {
    const { minutes } = await lockValidator.validate(inputOf(ctx))
    const until = Date.now() + minutes * 60_000
    return changeTarget(ctx, ({ id }) => lockUser(id, until, actorOf(ctx)), 'locked')
  }

  destroy(ctx: HttpContext) {
    return changeTarget(ctx, ({ id }) => unlockUser(id, actorOf(ctx)), 'unlocked')
  }
}
