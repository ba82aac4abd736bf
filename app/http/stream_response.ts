import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'

/** Waits for the first batch, so that an earlier failure gets an error response. @throws it */
export async function streamResponse({ response }: HttpContext, stream: Readable) {
  // Between the first batch and the sending, an error would have no listener.
  stream.on('error', () => {})
  await once(stream, 'readable')
  return response.stream(stream)
}
