import settings from '#config/external'
import limits from '#config/limits'
import { outboundFetch } from '#network/outbound_fetch'
import { unreadable } from './provider_error.ts'

type Fetch = (url: string, options: any) => Promise<Response>

/**
 * Sets a deadline and a size limit: a malicious provider must not exhaust memory or connections.
 * @param isFromConsole calls only within `OUTBOUND_ALLOWED_NETWORKS`
 */
export function boundedFetch({ isFromConsole = false } = {}): Fetch {
  const send = isFromConsole ? outboundFetch : fetch
  const deadline = AbortSignal.timeout(settings.deadlineMs)
  return async (url, options) => {
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    const response = await send(url, { ...options, signal, redirect: 'manual' })
    if (response.status >= 500) throw unreadable(`STATUS_${response.status}`)
    const { status, headers } = response
    const body = await readBounded(response)
    return new Response(body.length > 0 ? body : null, {
      status,
      headers: withoutEncoding(headers),
    })
  }
}

async function readBounded({ body }: Response) {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > limits.providerResponse) throw unreadable('ANSWER_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

// The body is decoded already, so the headers about its encoding no longer apply.
function withoutEncoding(headers: Headers) {
  const kept = new Headers(headers)
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
  return kept
}
