import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserPasskeysController {
  destroy(ctx: HttpContext) {
    const { passkeyId: id } = ctx.params
    return changeTarget(
      ctx,
      (user) => removePasskey(user.id, { id }, actorOf(ctx)),
      'passkey_removed'
    )
  }
}
