import type { HttpContext } from '@adonisjs/core/http'
import { createKey } from '#auth/api_keys/create_key'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { getReauthenticatedUserOrFail } from '#auth/mfa/reauthentication'
import { reauthenticatedActorOf, reauthenticationOf } from '#http/reauthentication'
import { createKeyValidator } from '#validators/api_keys'
import { reauthenticationValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'

/** A thief of the session must not make or revoke keys, so both need a recent authentication. */
export default class ApiKeysController {
  async index({ auth }: HttpContext) {
    return listKeys(auth.use('api').getUserOrFail().user.id)
  }

  async store(ctx: HttpContext) {
    const { currentPassword, code, ...newKey } = await bodyOf(ctx, createKeyValidator)
    const { user } = ctx.auth.use('api').getUserOrFail()
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    const { record, key } = await createKey(user.id, newKey, actor)
    return ctx.response.created({ ...record, key })
  }

  async destroy(ctx: HttpContext) {
    const caller = reauthenticationOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    await getReauthenticatedUserOrFail(caller)
    await revokeKey(caller.userId, ctx.params.id, caller.actor)
    return { message: 'API key revoked' }
  }
}
