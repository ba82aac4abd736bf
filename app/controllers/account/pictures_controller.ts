import type { HttpContext } from '@adonisjs/core/http'
import { changeAvatar, removeAvatar } from '#users/avatars/avatar'
import { redirectToAccount } from '#pages/account/account_page'
import { renderProfile } from '#pages/account/profile_page'
import { noFields, submit } from '#pages/forms/forms'
import { actorOf } from '#http/request_source'
import { getUploadOrFail } from '#http/upload'

export default class PicturesController {
  async store(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => changeAvatar(user.id, getUploadOrFail(ctx), actorOf(ctx)),
      onError: ({ errors }) => this.#again(ctx, Object.values(errors)[0]),
    })
    return outcome.ok ? redirectToAccount(ctx, { notice: 'person.uploaded' }) : outcome.page
  }

  #again(ctx: HttpContext, messages: string[]) {
    return renderProfile(ctx, { picture: { input: {}, errors: { file: messages } } })
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    await removeAvatar(user.id, actorOf(ctx))
    return redirectToAccount(ctx, { notice: 'person.removed' })
  }
}
