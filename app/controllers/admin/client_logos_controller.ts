import type { HttpContext } from '@adonisjs/core/http'
import { actorOf } from '#http/request_source'
import { getUploadOrFail } from '#http/upload'
import { changeLogo, removeLogo } from '#oidc/clients/logo'
import { getClientOrFail, renderClient } from '#pages/clients/client_pages'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'

export default class ClientLogosController {
  async store(ctx: HttpContext) {
    const { id } = await getClientOrFail(ctx)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => changeLogo(id, getUploadOrFail(ctx), actorOf(ctx)),
      onError: ({ errors }) => renderClient(ctx, undefined, Object.values(errors)[0][0]),
    })
    return outcome.ok ? done(ctx, id, 'changed') : outcome.page
  }

  async destroy(ctx: HttpContext) {
    const { id } = await getClientOrFail(ctx)
    await removeLogo(id, actorOf(ctx))
    return done(ctx, id, 'removed')
  }
}

function done(ctx: HttpContext, id: string, notice: 'changed' | 'removed') {
  return redirectWithNotice(ctx, `/admin/clients/${id}`, ctx.i18n.t(`clients.logo.${notice}`))
}
