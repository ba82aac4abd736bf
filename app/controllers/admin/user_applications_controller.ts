import { revokeConsent } from '#oidc/grants/end_grants'
import { changeTarget } from '#pages/users/user_page'
import { clientIdOf } from '#pages/forms/client_id'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserApplicationsController {
  destroy(ctx: HttpContext) {
    const clientId = clientIdOf(ctx)
    return changeTarget(
      ctx,
      ({ id: userId }) => revokeConsent({ userId, clientId }, actorOf(ctx)),
      'application_withdrawn'
    )
  }
}
