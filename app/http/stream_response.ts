import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'

/**
 * Sends a stream once its first portion is there: what fails before that is answered as
 * every error is, and not by a file that ends in the middle.
 *
 * @throws the error of the stream
 */
export async function streamResponse({ response }: HttpContext, stream: Readable) {
  // Between the first portion and the sending, an error would have no listener.
  stream.on('error', () => {})
  await once(stream, 'readable')
  return response.stream(stream)
}
