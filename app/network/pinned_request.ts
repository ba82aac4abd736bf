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

/** A receiver switched to a protocol that the request did not ask for. */
export class UnexpectedUpgradeError extends Error {
  name = 'UnexpectedUpgradeError'
  code = 'UNEXPECTED_UPGRADE'
}

/**
 * Settles for each answer. A request whose receiver switches the protocol (status 101) ends without
 * a response or an error, and would be awaited for ever.
 */
export function responseOf(sent: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new UnexpectedUpgradeError())
    })
  })
}
