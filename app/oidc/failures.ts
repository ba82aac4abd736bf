import type { IncomingMessage } from 'node:http'

/** An error for a person, which a page of ours shows in place of the library's. */
export interface Failure {
  status: number
  /** Of OAuth, such as `invalid_client`. */
  error: string
  description?: string
  /** What is wrong with the document that describes a client. */
  document?: { reason: string; host: string }
}

const failures = new WeakMap<IncomingMessage, Failure>()

export function rememberFailure(request: IncomingMessage, failure: Failure) {
  failures.set(request, failure)
}

export function failureOf(request: IncomingMessage) {
  return failures.get(request)
}
