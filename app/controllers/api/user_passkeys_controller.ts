import type { HttpContext } from '@adonisjs/core/http'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { getTargetUserOrFail } from '#http/target_user'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { reauthenticationValidator } from '#validators/auth'

export default class UserPasskeysController {
  async index(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    return listPasskeys(id)
  }

  async destroy(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const actor = await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    await removePasskey(id, { id: ctx.params.passkeyId }, actor)
    return { message: 'Passkey removed' }
  }
}
