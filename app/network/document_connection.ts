import { once } from 'node:events'
import * as https from 'node:https'
import * as http from 'node:http'
import type { IncomingMessage } from 'node:http'
import { lookupOf } from './public_hosts.ts'

export type Resolve = (signal: AbortSignal) => Promise<string[]>

export async function open(url: URL, addresses: string[], signal: AbortSignal) {
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
