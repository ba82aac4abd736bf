import type { HttpContext } from '@adonisjs/core/http'
import { findUserRecord } from '#auth/user_record_cache'
import { exportProfile } from '#users/export_profile'
import { deleteProfile, updateProfile } from '#users/profile'
import { E_UNAUTHORIZED } from '#auth/errors'
import { actorOf } from '#http/request_origin'
import { currentPasswordValidator, profileValidator } from '#validators/auth'
import UserTransformer from '#transformers/user_transformer'
import { bodyOf } from '#http/request_body'

/** The caller's own record: reading, changing, exporting and deleting it. */
export default class ProfileController {
  async show({ auth, response }: HttpContext) {
    const { user } = auth.use('api').getUserOrFail()
    const found = await findUserRecord(user.id, user.version)
    if (!found) throw new E_UNAUTHORIZED()
    return response.header('content-type', 'application/json; charset=utf-8').send(found.json)
  }

  async update(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changes = await bodyOf(ctx, profileValidator)
    const updated = await updateProfile(user.id, changes, actorOf(ctx))
    return new UserTransformer(updated).toObject()
  }

  async export(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const stream = await exportProfile(user.id, actorOf(ctx))
    ctx.response.header('content-type', 'application/json; charset=utf-8').stream(stream)
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const { currentPassword } = await bodyOf(ctx, currentPasswordValidator)
    await deleteProfile(user.id, currentPassword, actorOf(ctx))
    return { message: 'Account deleted' }
  }
}
