import { type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isHttps } from '#config/app'

/** The headers of an answer that carries data; pages replace the policy by their own. */
const PROTECTION: [string, string][] = [
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['cross-origin-resource-policy', 'same-origin'],
]

if (isHttps) PROTECTION.push(['strict-transport-security', 'max-age=31536000; includeSubDomains'])

let complete: (() => void)[] = []

function sendComplete() {
  const due = complete
  complete = []
  for (const send of due) send()
}

/**
 * An answer that carries the headers of protection whoever writes it, errors and streams
 * included. They are added as a list while the head is written: set one by one before,
 * they cost a tenth of an empty request.
 */
export class ProtectedResponse extends ServerResponse {
  /** Returned to the caller as `x-request-id`. */
  requestId = ''

  override writeHead(statusCode: number, ...rest: any[]): this {
    const given: OutgoingHttpHeaders = rest.find((part) => typeof part === 'object') ?? {}
    const head: any[] = ['x-request-id', this.requestId]
    for (const [name, value] of PROTECTION) {
      if (!(name in given) && !this.hasHeader(name)) head.push(name, value)
    }
    for (const name in given) {
      if (given[name] !== undefined) head.push(name, given[name])
    }
    return super.writeHead(statusCode, head)
  }

  /**
   * Answers to all requests that the event loop reads in one go leave together: whoever
   * waits for them, a proxy or a load generator, is woken once and not for each.
   */
  override end(...rest: any[]): this {
    const send = () => {
      try {
        super.end(...rest)
      } catch (error) {
        this.destroy(error)
      }
    }
    if (complete.push(send) === 1) setImmediate(sendComplete)
    return this
  }
}
