import { Bouncer } from '@adonisjs/bouncer'
import { HttpContext } from '@adonisjs/core/http'
import type { ApiCaller } from '#auth/guards/api/api_guard'

/* The bouncer is made when a controller reads it, so routes without a policy do not pay for it. */

declare module '@adonisjs/core/http' {
  interface HttpContext {
    bouncer: Bouncer<ApiCaller>
  }
}

HttpContext.getter(
  'bouncer',
  function (this: HttpContext) {
    return new Bouncer<ApiCaller>(this.auth.use('api').getUserOrFail())
  },
  true
)
