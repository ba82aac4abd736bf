import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { type AddressThrottle, throttleAddress } from '#auth/lockout/address_throttle'

/** Counts every request to a route, valid or not, against a limit of the client's address. */
export default class ThrottleMiddleware {
  async handle({ request }: HttpContext, next: NextFn, { by }: { by: AddressThrottle }) {
    await throttleAddress(by, request.ip())
    return next()
  }
}
