import type { HttpContext } from '@adonisjs/core/http'
import { listDevices } from '#auth/devices/list_devices'
import { forgetDeviceAs } from '#auth/devices/forget_device'
import { actorOf } from '#http/request_source'
import { E_NOT_FOUND } from '#exceptions/http_errors'

export default class DevicesController {
  index({ auth }: HttpContext) {
    return listDevices(auth.use('api').getUserOrFail().user.id)
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const isForgotten = await forgetDeviceAs(user.id, ctx.params.id, actorOf(ctx))
    if (!isForgotten) throw new E_NOT_FOUND()
    return { message: 'Device withdrawn' }
  }
}
