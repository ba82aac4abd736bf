import { withdrawDeviceAs } from '#auth/devices/withdraw'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserDevicesController {
  destroy(ctx: HttpContext) {
    const { deviceId } = ctx.params
    return changeTarget(
      ctx,
      ({ id }) => withdrawDeviceAs(id, deviceId, actorOf(ctx)),
      'device_withdrawn'
    )
  }
}
