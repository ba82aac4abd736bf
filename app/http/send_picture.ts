import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/**
 * The name is not guessable and the content never changes. Cache times are short, because a picture
 * must disappear together with its subject.
 *
 * @throws E_NOT_FOUND
 */
export function sendPicture({ response }: HttpContext, image: Buffer | null) {
  if (!image) throw new E_NOT_FOUND()
  response.header('content-type', 'image/webp')
  response.header('cache-control', 'private, max-age=300')
  response.header('cross-origin-resource-policy', 'cross-origin')
  return response.send(image)
}
