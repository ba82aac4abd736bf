import type { HttpContext } from '@adonisjs/core/http'
import { forgetDeviceAs } from '#auth/devices/forget_device'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { redirectToAccount } from '#pages/account/account_page'
import { actorOf } from '#http/request_source'

export default class DevicesController {
  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const isForgotten = await forgetDeviceAs(user.id, ctx.params.id, actorOf(ctx))
    if (!isForgotten) throw new E_NOT_FOUND()
    return redirectToAccount(ctx, { page: '/security', notice: 'devices.withdrawn' })
  }
}
