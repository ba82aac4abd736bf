import type { IncomingHttpHeaders } from 'node:http'
import { NotPublicError } from './public_hosts.ts'

export type DocumentFailure = 'unreachable' | 'too_slow' | 'status' | 'type' | 'too_large'

export class DocumentReadError extends Error {
  name = 'DocumentReadError'

  constructor(
    readonly reason: DocumentFailure,
    readonly isTransient: boolean,
    options?: ErrorOptions
  ) {
    super(reason, options)
  }
}

export function failureOf(status: number, headers: IncomingHttpHeaders): DocumentFailure | null {
  if (status !== 200) return 'status'
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
  return isJson && encoding === 'identity' ? null : 'type'
}

/** Returns a code, so that no log quotes what was received. */
export function causeOf({ cause }: Error) {
  if (cause instanceof NotPublicError) return 'NOT_PUBLIC'
  return String((cause as { code?: string } | undefined)?.code ?? 'NONE')
}
