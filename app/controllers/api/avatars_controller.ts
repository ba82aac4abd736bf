import type { HttpContext } from '@adonisjs/core/http'
import { changeAvatar, findAvatar, removeAvatar } from '#users/avatars/avatar'
import limits from '#config/limits'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { actorOf } from '#http/request_source'
import { userRecord } from '#http/user_records'
import { sendPicture } from '#http/send_picture'
import { uploadedFile } from '#http/uploaded_file'

export default class AvatarsController {
  async store(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changed = await withUploadSlot(user.id, async () => {
      const file = await uploadedFile(ctx, 'file', limits.pictureBytes)
      await ctx.auth.use('api').authenticateAgain()
      return changeAvatar(user.id, file, actorOf(ctx))
    })
    return userRecord(ctx, changed)
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changed = await removeAvatar(user.id, actorOf(ctx))
    return userRecord(ctx, changed)
  }

  async show(ctx: HttpContext) {
    return sendPicture(ctx, await findAvatar(ctx.params.name))
  }
}
