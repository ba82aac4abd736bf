import type { IncomingMessage } from 'node:http'
import { outboundAddressesOf } from './outbound_hosts.ts'
import { pinnedRequest, responseOf } from './pinned_request.ts'
import { resolveAsSystem } from './system_names.ts'

/* To addresses that an administrator typed. They are checked at the moment of connecting. */

export interface OutboundPost {
  headers: Record<string, string>
  body: string
  /** Name server, connection, request and answer. */
  deadlineMs: number
  /** More of the answer is not read. */
  limit: number
}

export interface OutboundAnswer {
  status: number
  /** Whether the answer ended within the limit. */
  isWhole: boolean
}

/** The status decides: the rest of an answer is awaited no longer than this. */
const BODY_MS = 1_000

/** Follows no redirect. @throws the error of the connection, NotPublicError, or the signal's reason */
export async function postOutbound(
  url: URL,
  { headers, body, deadlineMs, limit }: OutboundPost
): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(deadlineMs)
  const addresses = await outboundAddressesOf(url, signal, resolveAsSystem)
  signal.throwIfAborted()
  const length = Buffer.byteLength(body)
  const sent = pinnedRequest(url, addresses, {
    method: 'POST',
    headers: { ...headers, 'content-length': length, 'accept-encoding': 'identity' },
    maxHeaderSize: 8_192,
    signal,
  })
  sent.end(body)
  const response = await responseOf(sent)
  /** An unhandled error after the answer began would end the process. */
  sent.on('error', () => {})
  return { status: response.statusCode ?? 0, isWhole: await readUpTo(limit, response) }
}

/** It destroys the connection: what a receiver sends without end costs nothing more. */
async function readUpTo(limit: number, response: IncomingMessage) {
  const timer = setTimeout(() => response.destroy(), BODY_MS)
  const size = await sizeUpTo(limit, response).catch(() => limit + 1)
  clearTimeout(timer)
  response.destroy()
  return size <= limit && response.complete
}

async function sizeUpTo(limit: number, response: IncomingMessage) {
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > limit) return size
  }
  return size
}
