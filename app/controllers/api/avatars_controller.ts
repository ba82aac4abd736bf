import type { HttpContext } from '@adonisjs/core/http'
import { changeAvatar, findAvatar, removeAvatar } from '#users/avatars/avatar'
import limits from '#config/limits'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { actorOf } from '#http/request_source'
import UserTransformer from '#transformers/user_transformer'
import { uploadedFile } from '#http/uploaded_file'

export default class AvatarsController {
  async store(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changed = await withUploadSlot(user.id, async () => {
      const file = await uploadedFile(ctx, 'file', limits.pictureBytes)
      await ctx.auth.use('api').authenticateAgain()
      return changeAvatar(user.id, file, actorOf(ctx))
    })
    return new UserTransformer(changed).toObject()
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changed = await removeAvatar(user.id, actorOf(ctx))
    return new UserTransformer(changed).toObject()
  }

  /**
   * The name is not guessable and its content never changes. Caches are short, because a picture
   * must go with its user.
   */
  async show({ params, response }: HttpContext) {
    const image = await findAvatar(params.name)
    if (!image) throw new E_NOT_FOUND()
    response.header('content-type', 'image/webp')
    response.header('cache-control', 'private, max-age=300')
    response.header('cross-origin-resource-policy', 'cross-origin')
    return response.send(image)
  }
}
