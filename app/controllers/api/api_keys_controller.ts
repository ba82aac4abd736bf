import type { HttpContext } from '@adonisjs/core/http'
import { createKey } from '#auth/api_keys/create_key'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { getProvenCallerOrFail } from '#auth/mfa/reauthentication'
import { provenActorOf, provingCallerOf } from '#http/proving_caller'
import { createKeyValidator } from '#validators/api_keys'
import { proofValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'

/** A thief of the session must not make or revoke keys, so both need a proof. */
export default class ApiKeysController {
  async index({ auth }: HttpContext) {
    return listKeys(auth.use('api').getUserOrFail().user.id)
  }

  async store(ctx: HttpContext) {
    const { currentPassword, code, ...newKey } = await bodyOf(ctx, createKeyValidator)
    const { user } = ctx.auth.use('api').getUserOrFail()
    const actor = await provenActorOf(ctx, { currentPassword, code })
    const { record, key } = await createKey(user.id, newKey, actor)
    return ctx.response.created({ ...record, key })
  }

  async destroy(ctx: HttpContext) {
    const caller = provingCallerOf(ctx, await bodyOf(ctx, proofValidator))
    await getProvenCallerOrFail(caller)
    await revokeKey(caller.userId, ctx.params.id, caller.actor)
    return { message: 'API key revoked' }
  }
}
