import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/signing_keys'
import { publicKeys } from '#auth/signing_keys/public_keys'

export default class PublicKeysController {
  async show({ response }: HttpContext) {
    allowAnyOrigin(response)
    response.header('cross-origin-resource-policy', 'cross-origin')
    const document = JSON.stringify(await publicKeys())
    response.header('cache-control', `public, max-age=${settings.documentSeconds}`)
    response.setEtag(document)
    if (response.fresh()) return response.status(304).send(null)
    return response.type('json').send(document)
  }

  preflight({ response }: HttpContext) {
    allowAnyOrigin(response)
    response.header('access-control-allow-methods', 'GET, HEAD')
    response.header('access-control-allow-headers', '*')
    response.header('access-control-max-age', String(settings.documentSeconds))
    return response.noContent()
  }
}

function allowAnyOrigin(response: HttpContext['response']) {
  response.header('access-control-allow-origin', '*')
  response.removeHeader('access-control-allow-credentials')
}
