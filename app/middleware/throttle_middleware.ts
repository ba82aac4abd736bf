import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { type AddressThrottle, throttleAddress } from '#auth/lockout/address_throttle'

/** Counts requests before they are validated, so that invalid ones also count. */
export default class ThrottleMiddleware {
  async handle({ request }: HttpContext, next: NextFn, { by }: { by: AddressThrottle }) {
    await throttleAddress(by, request.ip())
    return next()
  }
}
