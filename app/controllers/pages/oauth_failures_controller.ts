import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { failureOf } from '#oidc/provider/failures'
import { renderStop } from '#pages/clients/application_pages'

const REASONS: Record<string, string> = {
  invalid_client: 'unknown_client',
  invalid_redirect_uri: 'redirect_uri',
  temporarily_unavailable: 'unavailable',
  server_error: 'broken',
}

/** Shows an error of the OpenID provider (`app/oidc/provider/dispatch.ts`). */
export default class OauthFailuresController {
  show(ctx: HttpContext) {
    const failure = failureOf(ctx.request.request)
    if (!failure) throw new E_NOT_FOUND()
    const { status, error, document, untrusted } = failure
    ctx.response.status(status)
    if (document) {
      const { host: name, reason: detail } = document
      return renderStop(ctx, { reason: 'document', name, detail })
    }
    if (untrusted) return renderStop(ctx, { reason: 'untrusted', name: untrusted })
    return renderStop(ctx, { reason: REASONS[error] ?? 'invalid_request', name: error })
  }
}
