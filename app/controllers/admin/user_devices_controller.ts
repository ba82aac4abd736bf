import { forgetDeviceAs } from '#auth/devices/forget_device'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserDevicesController {
  destroy(ctx: HttpContext) {
    const { deviceId } = ctx.params
    return changeTarget(
      ctx,
      ({ id }) => forgetDeviceAs(id, deviceId, actorOf(ctx)),
      'device_withdrawn'
    )
  }
}
