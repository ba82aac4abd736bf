import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { outboundAddressesOf } from './outbound_hosts.ts'
import { publicAddressesOf } from './public_hosts.ts'
import { type Resolve, open } from './document_connection.ts'
import { DocumentReadError, failureOf } from './document_errors.ts'

/* Uses no `fetch` or shared agent: a proxy would resolve the name again (DNS rebinding). */

export interface DocumentBounds {
  limit: number
  deadlineMs: number
}

export interface PublicDocument {
  text: string
  headers: IncomingHttpHeaders
}

/** Follows no redirect. @throws DocumentReadError */
export function readPublicDocument(url: URL, bounds: DocumentBounds) {
  return read(url, bounds, (signal) => publicAddressesOf(url.hostname, signal))
}

/** Reads from an address that an administrator typed. @throws DocumentReadError */
export function readOutboundDocument(url: URL, bounds: DocumentBounds) {
  return read(url, bounds, (signal) => outboundAddressesOf(url, signal))
}

async function read(
  url: URL,
  { limit, deadlineMs }: DocumentBounds,
  resolve: Resolve
): Promise<PublicDocument> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await open(url, await resolve(signal), signal)
    assertUsable(response)
    return { text: await readText(response, limit), headers: response.headers }
  } catch (cause) {
    if (cause instanceof DocumentReadError) throw cause
    throw new DocumentReadError(signal.aborted ? 'too_slow' : 'unreachable', true, { cause })
  }
}

/** Refuses a compressed answer, because it could unpack to any size. */
function assertUsable(response: IncomingMessage) {
  const { statusCode = 0, headers } = response
  const failure = failureOf(statusCode, headers)
  if (!failure) return
  response.destroy()
  throw new DocumentReadError(
    failure,
    failure === 'status' && (statusCode >= 500 || statusCode === 429)
  )
}

async function readText(response: IncomingMessage, limit: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > limit) throw new DocumentReadError('too_large', false)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new DocumentReadError('type', false)
  }
}
