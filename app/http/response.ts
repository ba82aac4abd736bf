import { type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isHttps } from '#config/app'

/** Security headers of every response; pages replace the content security policy by their own. */
const SECURITY_HEADERS: [string, string][] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-resource-policy', 'same-origin'],
]

if (isHttps)
  SECURITY_HEADERS.push(['strict-transport-security', 'max-age=31536000; includeSubDomains'])

let finished: (() => void)[] = []

function sendFinished() {
  const batch = finished
  finished = []
  for (const send of batch) send()
}

/**
 * A response with the security headers, errors and streams included. They are added as a
 * list while the head is written: set one by one before, they cost a tenth of the time of
 * an empty request.
 */
export class ProtectedResponse extends ServerResponse {
  /** Sent as `x-request-id`. */
  requestId = ''

  override writeHead(statusCode: number, ...rest: any[]): this {
    const given: OutgoingHttpHeaders = rest.find((part) => typeof part === 'object') ?? {}
    const head: any[] = ['x-request-id', this.requestId]
    for (const [name, value] of SECURITY_HEADERS) {
      if (!(name in given) && !this.hasHeader(name)) head.push(name, value)
    }
    for (const name in given) {
      const isSent = given[name] === undefined || name === 'x-request-id'
      if (!isSent) head.push(name, given[name])
    }
    return super.writeHead(statusCode, head)
  }

  /**
   * Responses to all requests that the event loop reads in one turn are sent together: the
   * client or proxy that waits for them is woken once and not for each.
   */
  override end(...rest: any[]): this {
    const send = () => {
      try {
        super.end(...rest)
      } catch (error) {
        this.destroy(error)
      }
    }
    if (finished.push(send) === 1) setImmediate(sendFinished)
    return this
  }
}
