import { type IncomingMessage } from 'node:http'
import { randomBytes } from 'node:crypto'

const REQUEST_ID = /^[\w.:-]{1,128}$/

const processId = randomBytes(6).toString('base64url')

let requestCount = 0

/** Only a short and plain id is accepted, because it is written to the log. */
export function requestIdOf(request: IncomingMessage) {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && REQUEST_ID.test(given)) return given
  const id = `${processId}-${(++requestCount).toString(36)}`
  request.headers['x-request-id'] = id
  return id
}
