import type { IncomingMessage } from 'node:http'
import limits from '#config/limits'

/** Adonis and Koa read these in the square of their length, before anybody has signed in. */
const HEADERS = ['accept', 'x-forwarded-host', 'x-forwarded-proto'] as const

/** A longer one counts as not sent. */
export function dropLongHeaders({ headers }: IncomingMessage) {
  for (const name of HEADERS)
    if (headers[name] && headers[name].length > limits.comparedHeader) delete headers[name]
}
