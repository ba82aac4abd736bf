import type { HttpContext } from '@adonisjs/core/http'
import { listDevices } from '#auth/devices/list_devices'
import { withdrawDeviceAs } from '#auth/devices/withdraw'
import { actorOf } from '#http/request_source'
import { E_NOT_FOUND } from '#exceptions/http_errors'

export default class DevicesController {
  index({ auth }: HttpContext) {
    return listDevices(auth.use('api').getUserOrFail().user.id)
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const isWithdrawn = await withdrawDeviceAs(user.id, ctx.params.id, actorOf(ctx))
    if (!isWithdrawn) throw new E_NOT_FOUND()
    return { message: 'Device withdrawn' }
  }
}
