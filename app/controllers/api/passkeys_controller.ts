import type { HttpContext } from '@adonisjs/core/http'
import { removeOwnPasskey, renamePasskey } from '#auth/passkeys/manage_passkeys'
import { listPasskeys } from '#auth/passkeys/passkey_record'
import { registerPasskey } from '#auth/passkeys/register_passkey'
import { registrationOptions } from '#auth/passkeys/registration_options'
import { assertPasskeySize } from '#http/passkey_form'
import { reauthenticationOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { reauthenticationValidator } from '#validators/auth'
import { passkeyNameValidator, registrationValidator } from '#validators/passkeys'

/** The options need a reauthentication, and their challenge then proves it. */
export default class PasskeysController {
  async options(ctx: HttpContext) {
    return registrationOptions(
      reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    )
  }

  async store(ctx: HttpContext) {
    assertPasskeySize(ctx, 'response')
    const made = await bodyOf(ctx, registrationValidator)
    return ctx.response.created(await registerPasskey(reauthenticationOf(ctx, {}), made))
  }

  index({ auth }: HttpContext) {
    return listPasskeys(auth.use('api').getUserOrFail().user.id)
  }

  async update(ctx: HttpContext) {
    const { name } = await bodyOf(ctx, passkeyNameValidator)
    const { userId, actor } = reauthenticationOf(ctx, {})
    return renamePasskey({ userId, id: ctx.params.id, actor }, name)
  }

  async destroy(ctx: HttpContext) {
    const caller = reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    await removeOwnPasskey(caller, ctx.params.id)
    return { message: 'Passkey removed' }
  }
}
