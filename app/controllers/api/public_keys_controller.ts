import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/signing_keys'
import { publicKeys } from '#auth/signing_keys/public_keys'
import { allowAnyOrigin, answerPreflight } from '#http/any_origin'

export default class PublicKeysController {
  async show(ctx: HttpContext) {
    const { response } = ctx
    allowAnyOrigin(ctx)
    response.header('cross-origin-resource-policy', 'cross-origin')
    const document = JSON.stringify(await publicKeys())
    response.header('cache-control', `public, max-age=${settings.documentSeconds}`)
    response.setEtag(document)
    if (response.fresh()) return response.status(304).send(null)
    return response.type('json').send(document)
  }

  preflight(ctx: HttpContext) {
    return answerPreflight(ctx, settings.documentSeconds)
  }
}
