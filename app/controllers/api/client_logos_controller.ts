import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { bodyOf } from '#http/request_body'
import { sendPicture } from '#http/send_picture'
import { uploadedForm } from '#http/uploaded_file'
import { changeLogo, findLogo, removeLogo } from '#oidc/clients/logo'
import { toRecord } from '#oidc/clients/client'
import { withUploadSlot } from '#users/avatars/upload_slots'
import { invalidPicture } from '#users/errors'
import { reauthenticationValidator } from '#validators/auth'

export default class ClientLogosController {
  async update(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const changed = await withUploadSlot(user.id, async () => {
      const { file, fields } = await uploadedForm(ctx, 'file', limits.clientLogoBytes)
      await ctx.auth.use('api').authenticateAgain()
      const actor = await reauthenticatedActorOf(
        ctx,
        await reauthenticationValidator.validate(fields)
      )
      if (!file) throw invalidPicture()
      return changeLogo(ctx.params.id, file, actor)
    })
    return toRecord(changed)
  }

  async destroy(ctx: HttpContext) {
    const actor = await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    return toRecord(await removeLogo(ctx.params.id, actor))
  }

  async show(ctx: HttpContext) {
    return sendPicture(ctx, await findLogo(ctx.params.name))
  }
}
