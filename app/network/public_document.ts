import { once } from 'node:events'
import * as https from 'node:https'
import * as http from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { outboundAddressesOf } from './outbound_hosts.ts'
import { lookupOf, NotPublicError, publicAddressesOf } from './public_hosts.ts'

/* No `fetch` or shared agent: a proxy would resolve the name again (DNS rebinding). */

export interface DocumentBounds {
  limit: number
  deadlineMs: number
}

export interface PublicDocument {
  text: string
  headers: IncomingHttpHeaders
}

export type DocumentFailure = 'unreachable' | 'too_slow' | 'status' | 'type' | 'too_large'

export class DocumentReadError extends Error {
  name = 'DocumentReadError'

  constructor(
    readonly reason: DocumentFailure,
    readonly isTransient: boolean,
    options?: ErrorOptions
  ) {
    super(reason, options)
  }
}

/** Follows no redirect. @throws DocumentReadError */
export function readPublicDocument(url: URL, bounds: DocumentBounds) {
  return read(url, bounds, (signal) => publicAddressesOf(url.hostname, signal))
}

/** At an address that an administrator typed. @throws DocumentReadError */
export function readOutboundDocument(url: URL, bounds: DocumentBounds) {
  return read(url, bounds, (signal) => outboundAddressesOf(url, signal))
}

type Resolve = (signal: AbortSignal) => Promise<string[]>

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

async function open(url: URL, addresses: string[], signal: AbortSignal) {
  const options = {
    lookup: lookupOf(addresses),
    headers: { 'accept': 'application/json', 'accept-encoding': 'identity' },
    maxHeaderSize: 8_192,
    signal,
  }
  const sent = url.protocol === 'https:' ? openSecurely(url, options) : openInClear(url, options)
  sent.end()
  const [response] = await once(sent, 'response')
  /** An unhandled error before the body is read would end the process. */
  sent.on('error', (error) => response.destroy(error))
  return response as IncomingMessage
}

function openSecurely(url: URL, options: http.RequestOptions) {
  const agent = new https.Agent({ maxCachedSessions: 0 })
  return https.request(url, { ...options, agent, rejectUnauthorized: true })
}

/** A kept connection would go to an address of an earlier look-up. */
function openInClear(url: URL, options: http.RequestOptions) {
  return http.request(url, { ...options, agent: false })
}

/** A compressed answer could unpack to any size. */
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

function failureOf(status: number, headers: IncomingHttpHeaders): DocumentFailure | null {
  if (status !== 200) return 'status'
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
  return isJson && encoding === 'identity' ? null : 'type'
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

/** A code, so that no log quotes what was received. */
export function causeOf({ cause }: Error) {
  if (cause instanceof NotPublicError) return 'NOT_PUBLIC'
  return String((cause as { code?: string } | undefined)?.code ?? 'NONE')
}
