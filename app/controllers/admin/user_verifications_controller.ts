import { updateUser } from '#users/update_user'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserVerificationsController {
  store(ctx: HttpContext) {
    const verify = ({ id }: { id: string }) => updateUser(id, { emailVerified: true }, actorOf(ctx))
    return changeTarget(ctx, verify, 'verified')
  }
}
