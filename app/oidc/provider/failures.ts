import type { IncomingMessage } from 'node:http'

export interface Failure {
  status: number
  error: string
  description?: string
  document?: { reason: string; host: string }
  /** The name of a client that the user has not consented to. */
  untrusted?: string
}

const failures = new WeakMap<IncomingMessage, Failure>()

export function rememberFailure(request: IncomingMessage, failure: Failure) {
  failures.set(request, failure)
}

export function failureOf(request: IncomingMessage) {
  return failures.get(request)
}

export function isForBrowser({ url = '', headers }: IncomingMessage) {
  return url.startsWith('/oauth/authorize') && Boolean(headers.accept?.includes('text/html'))
}
