import type { HttpContext } from '@adonisjs/core/http'
import { createKey } from '#auth/api_keys/create_key'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { getTargetUserOrFail } from '#http/target_user'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { actorOf } from '#http/request_source'
import { createKeyValidator } from '#validators/api_keys'
import { bodyOf } from '#http/request_body'

export default class UserKeysController {
  async index(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    return listKeys(id)
  }

  async store(ctx: HttpContext) {
    const { currentPassword, code, ...newKey } = await bodyOf(ctx, createKeyValidator)
    const { id } = await getTargetUserOrFail(ctx)
    const actor = await reauthenticatedActorOf(ctx, { currentPassword, code })
    const { record, key } = await createKey(id, newKey, actor)
    return ctx.response.created({ ...record, key })
  }

  /** Needs no reauthentication: a revocation only removes access, and is urgent after a leak. */
  async destroy(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    await revokeKey(id, ctx.params.keyId, actorOf(ctx))
    return { message: 'API key revoked' }
  }
}
