import type { IncomingMessage, ServerResponse } from 'node:http'
import { findUserinfo } from './userinfo.ts'

const BEARER = /^Bearer (gho_[\w-]+)$/i

/** The library's headers for a program. A page of another origin is answered by the library. */
const HEADERS = {
  'vary': 'Origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}

/** Returns false for a request that the library has to answer. */
export async function answerUserinfo(request: IncomingMessage, response: ServerResponse) {
  const token = tokenOf(request)
  const body = token ? await findUserinfo(token, request) : null
  if (body === null) return false
  const length = Buffer.byteLength(body)
  response.writeHead(200, { ...HEADERS, 'content-length': length }).end(body)
  return true
}

function tokenOf({ method, url, headers }: IncomingMessage) {
  const isPlain = method === 'GET' && url === '/oauth/userinfo'
  if (!isPlain || headers.origin !== undefined || headers.dpop !== undefined) return null
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null
}
