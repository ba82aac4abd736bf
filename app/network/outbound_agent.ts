import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import { outboundAddressesOf } from './outbound_hosts.ts'
import { lookupOf } from './public_hosts.ts'
import { resolveAsSystem } from './system_names.ts'

interface OutboundConnections {
  /** For a look-up of the name. */
  deadlineMs: number
  /** If so, destroy the agent soon: its connections keep the address from when they opened. */
  keepAlive: boolean
}

type Opened = (error: Error | null, socket?: Duplex) => void

/** Checks the address of each connection when it opens. No proxy can resolve the name again. */
export function outboundAgent(url: URL, { deadlineMs, keepAlive }: OutboundConnections) {
  const options = { keepAlive, maxCachedSessions: 0, rejectUnauthorized: true }
  const agent = url.protocol === 'http:' ? new http.Agent(options) : new https.Agent(options)
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (request, opened: Opened) => {
    outboundAddressesOf(url, AbortSignal.timeout(deadlineMs), resolveAsSystem)
      .then((addresses) => opened(null, connect({ ...request, lookup: lookupOf(addresses) })!))
      .catch(opened)
    return undefined
  }
  return agent
}
