import { pinnedRequest, responseOf } from './pinned_request.ts'

export type Resolve = (signal: AbortSignal) => Promise<string[]>

export async function open(url: URL, addresses: string[], signal: AbortSignal) {
  const sent = pinnedRequest(url, addresses, {
    headers: { 'accept': 'application/json', 'accept-encoding': 'identity' },
    maxHeaderSize: 8_192,
    signal,
  })
  sent.end()
  const response = await responseOf(sent)
  /** An unhandled error before the body is read would end the process. */
  sent.on('error', (error) => response.destroy(error))
  return response
}
