import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { outboundAddressesOf } from './outbound_hosts.ts'
import { pinnedRequest, responseOf } from './pinned_request.ts'
import { resolveAsSystem } from './system_names.ts'

/* Like `fetch`, for an address that an administrator typed. It follows no redirect. */

interface Options {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  signal: AbortSignal
}

/** Does not read the body, so that the caller can bound it. @throws NotPublicError */
export async function outboundFetch(address: string, options: Options): Promise<Response> {
  const url = new URL(address)
  const { method = 'GET', signal } = options
  const addresses = await outboundAddressesOf(url, signal, resolveAsSystem)
  const headers = { ...options.headers, 'accept-encoding': 'identity' }
  const bounds = { method, headers, signal, maxHeaderSize: 16_384 }
  const sent = pinnedRequest(url, addresses, bounds)
  sent.end(bodyOf(options))
  const response = await responseOf(sent)
  sent.on('error', (error) => response.destroy(error))
  return toResponse(response)
}

function bodyOf({ body }: Options) {
  if (body === undefined || body === null) return undefined
  return typeof body === 'string' || body instanceof Uint8Array ? body : String(body)
}

const WITHOUT_BODY = [204, 205, 304]

function toResponse(answer: IncomingMessage) {
  const { statusCode: status = 502, headers } = answer
  const entries = Object.entries(headers).map(([name, value]) => [name, String(value)])
  const hasBody = !WITHOUT_BODY.includes(status)
  if (!hasBody) answer.resume()
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status, headers: entries as [string, string][] })
}
