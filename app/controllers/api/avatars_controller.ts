import type { HttpContext } from '@adonisjs/core/http'
import { changeAvatar, findAvatar, LARGEST_FILE, removeAvatar } from '#users/avatars/avatar'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { actorOf } from '#http/request_origin'
import UserTransformer from '#transformers/user_transformer'
import { uploadedFile } from '#http/uploaded_file'

/** The caller's picture. It is read into memory and never touches the disk as it came. */
export default class AvatarsController {
  async store(ctx: HttpContext) {
    const { id } = ctx.auth.use('api').getUserOrFail()
    const user = await withUploadSlot(id, async () => {
      const file = await uploadedFile(ctx, 'file', LARGEST_FILE)
      await ctx.auth.use('api').confirm()
      return changeAvatar(id, file, actorOf(ctx))
    })
    return new UserTransformer(user).toObject()
  }

  async destroy(ctx: HttpContext) {
    const { id } = ctx.auth.use('api').getUserOrFail()
    const user = await removeAvatar(id, actorOf(ctx))
    return new UserTransformer(user).toObject()
  }

  /** For every page that shows it: the name is unguessable, and what it names never changes. */
  async show({ params, response }: HttpContext) {
    const image = await findAvatar(params.name)
    if (!image) throw new E_NOT_FOUND()
    response.header('content-type', 'image/webp')
    response.header('cache-control', 'public, max-age=31536000, immutable')
    response.header('cross-origin-resource-policy', 'cross-origin')
    return response.send(image)
  }
}
