import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/passkeys'

/**
 * The origins that may use passkeys of this domain (WebAuthn, section 5.11): a browser asks
 * here before a page of another domain does. Apps are no origins of pages.
 */
export default class RelatedOriginsController {
  show({ response }: HttpContext) {
    response.header('cache-control', 'public, max-age=300')
    return { origins: settings.origins.filter((origin) => URL.parse(origin)?.host) }
  }
}
