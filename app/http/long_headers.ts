import type { IncomingMessage } from 'node:http'
import limits from '#config/limits'

/** Adonis and Koa parse these in quadratic time, even without a sign-in. */
const HEADERS = ['accept', 'x-forwarded-host', 'x-forwarded-proto'] as const

/** Removes headers that are too long, as if they had not been sent. */
export function dropLongHeaders({ headers }: IncomingMessage) {
  for (const name of HEADERS)
    if (headers[name] && headers[name].length > limits.comparedHeader) delete headers[name]
}
