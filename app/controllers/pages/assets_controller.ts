import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { findAsset } from '#pages/assets'

/** Names change with the content, so browsers cache assets permanently. */
export default class AssetsController {
  async show({ request, response }: HttpContext) {
    const asset = await findAsset(request.url())
    if (!asset) throw new E_NOT_FOUND()
    response.header('cache-control', 'public, max-age=31536000, immutable')
    response.header('content-type', asset.type)
    // A vector picture may contain styles; scripts stay forbidden.
    if (/svg/.test(asset.type)) {
      response.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    }
    return response.send(asset.content)
  }
}
