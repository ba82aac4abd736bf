import * as http from 'node:http'
import * as https from 'node:https'
import { lookupOf } from './public_hosts.ts'

/** A kept connection would go to an address of an earlier look-up, and a proxy would resolve again. */
export function pinnedRequest(url: URL, addresses: string[], options: http.RequestOptions) {
  const pinned = { ...options, lookup: lookupOf(addresses) }
  if (url.protocol === 'http:') return http.request(url, { ...pinned, agent: false })
  const agent = new https.Agent({ maxCachedSessions: 0 })
  return https.request(url, { ...pinned, agent, rejectUnauthorized: true })
}
