import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { HttpContext } from '@adonisjs/core/http'

/** Waits for the first batch. An earlier failure is thrown, so that it gets an error response. */
export async function streamResponse({ response }: HttpContext, stream: Readable) {
  // Between the first batch and the sending, an error would have no listener.
  stream.on('error', () => {})
  await once(stream, 'readable')
  return response.stream(stream)
}
