import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/passkeys'

/** Browsers ask here before a page of another domain uses these passkeys (WebAuthn, section 5.11). */
export default class RelatedOriginsController {
  show({ response }: HttpContext) {
    response.header('cache-control', 'public, max-age=300')
    return { origins: settings.origins.filter((origin) => URL.parse(origin)?.host) }
  }
}
