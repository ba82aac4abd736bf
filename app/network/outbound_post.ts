import * as http from 'node:http'
import * as https from 'node:https'
import { finished } from 'node:stream'
import { outboundAgent } from './outbound_agent.ts'
import { responseOf } from './pinned_request.ts'

/* Posts to addresses that an administrator typed. They are checked when a connection opens. */

export interface OutboundPost {
  headers: Record<string, string>
  body: string
  /** For name server, connection, request and answer together. */
  deadlineMs: number
  /** The part of the answer that is read at most. */
  limit: number
}

export interface OutboundAnswer {
  status: number
  /** Whether the answer ended within the limit. */
  isWhole: boolean
}

/** Only the status matters, so the rest of an answer is awaited no longer than this. */
const BODY_MS = 1_000

/**
 * Follows no redirect.
 * @param agent keeps connections for several posts
 * @throws the error of the connection, NotPublicError, or the signal's reason
 */
export async function postOutbound(
  url: URL,
  post: OutboundPost,
  agent?: http.Agent
): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(post.deadlineMs)
  const response = await send(url, post, { signal, agent: agent ?? newAgent(url, post) })
  return { status: response.statusCode ?? 0, isWhole: await readUpTo(post.limit, response) }
}

function newAgent(url: URL, { deadlineMs }: OutboundPost) {
  return outboundAgent(url, { deadlineMs, keepAlive: false })
}

interface Transport {
  signal: AbortSignal
  agent: http.Agent
}

/**
 * Uses a new connection if a kept one breaks before the first byte of an answer, as by an idle
 * timeout: this says nothing about the receiver.
 */
async function send(
  url: URL,
  post: OutboundPost,
  transport: Transport
): Promise<http.IncomingMessage> {
  const sent = requestOf(url, post, transport)
  let isAnswered = false
  sent.once('socket', (socket) => socket.once('data', () => (isAnswered = true)))
  /** An unhandled error after the answer began would end the process. */
  sent.on('error', () => {})
  sent.end(post.body)
  try {
    return await responseOf(sent)
  } catch (error) {
    if (!sent.reusedSocket || isAnswered || transport.signal.aborted) throw error
    return send(url, post, { ...transport, agent: newAgent(url, post) })
  }
}

function requestOf(url: URL, { headers, body }: OutboundPost, transport: Transport) {
  const { request } = url.protocol === 'http:' ? http : https
  const length = Buffer.byteLength(body)
  return request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': length, 'accept-encoding': 'identity' },
    maxHeaderSize: 8_192,
    ...transport,
  })
}

/** Destroys the connection of an answer that is too long or late, so the rest costs nothing. */
function readUpTo(limit: number, response: http.IncomingMessage) {
  return new Promise<boolean>((resolve) => {
    let size = 0
    const timer = setTimeout(() => response.destroy(), BODY_MS)
    response.on('error', () => {})
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) response.destroy()
    })
    /** `finished` also calls back if the answer has already broken off. */
    finished(response, () => {
      clearTimeout(timer)
      resolve(size <= limit && response.complete)
    })
  })
}
